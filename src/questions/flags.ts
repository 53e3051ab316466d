import { type Exchange, leaves } from '../http/index.ts';
import { NotAccepted, Undecided } from './asker/asker.ts';
import { bodyOf, mentions } from './asker/reaction.ts';
import { among, meanings, once, type Question } from './question.ts';

const TRIALS = 3;
/**
 * The number of requests for unknown flags if no response contains the default. Then eight requests with defaults that mean yes or no
 * follow, and a run may send only ten requests in all.
 */
const TRIALS_WITHOUT = 2;

/**
 * Compares the responses to two requests with the same default: for an existing flag, and for a flag that doesn't exist. `undefined` if
 * neither response contains the default, so nothing shows whether the service used it.
 */
export function flagAnswer(known: Exchange, nobodys: Exchange, fallback: string) {
  if (mentions(known, fallback)) return 'the default';
  return mentions(nobodys, fallback) ? 'a value of its own' : undefined;
}

/** Defaults that mean yes and no, the most common pair first. */
export const switchPairs = [
  ['true', 'false'],
  ['on', 'off'],
  ['1', '0'],
  ['yes', 'no'],
] as const;

/**
 * Sends pairs of defaults that mean yes and no, until a value in the two responses changes with the default. Returns these two responses.
 * `text` is the response to a default that means neither yes nor no; if it is given, the value must mean yes or no in this response, too.
 */
export async function followsDefault(send: (fallback: string) => Promise<Exchange | undefined>, text?: Exchange) {
  const other = text && switchesIn(text);
  for (const pair of switchPairs) {
    const [yes, no] = [await send(pair[0]), await send(pair[1])];
    const [on, off] = [switchesIn(yes), switchesIn(no)];
    const isFollowing = (place: string) => off.has(place) && off.get(place) !== on.get(place);
    if (yes && no && [...on.keys()].some((place) => isFollowing(place) && other?.has(place) !== false))
      return [yes, no];
  }
  return undefined;
}

const SWITCH = /^(true|false|on|off|1|0|yes|no|(en|dis)abled|(in)?active)$/i;

/** The values in a response, without names of fields, by their path. */
export function valuesIn(exchange: Exchange | undefined): ReadonlyMap<string, string> {
  const found = [...leaves(exchange && bodyOf(exchange))].filter(({ isKey }) => !isKey);
  return new Map(found.map(({ path, text }) => [path.join('/'), text]));
}

/** The values in a response that mean yes or no, by their path. */
export function switchesIn(exchange: Exchange | undefined): ReadonlyMap<string, string> {
  return new Map([...valuesIn(exchange)].filter(([, text]) => SWITCH.test(text)));
}

/**
 * Requests flags that don't exist, each with a new default, to see whether the response contains the default. The response for an existing
 * flag (FLAG_KEY) must not contain it: otherwise the service only repeats the request.
 */
const fallback: Question['ask'] = async (asker) => {
  const { data, environment } = asker.requests;
  const seen: Exchange[] = [];
  let given = 0;
  for (let trial = 0; trial < (given === 0 ? TRIALS_WITHOUT : TRIALS); trial++) {
    const exchange = await asker.send({ key: data.id(), default: data.id(), contextData: data.context() });
    const refused = asker.clearly(exchange).kind === 'refused';
    const sent = JSON.parse(exchange.request.body ?? '{}') as { default?: string };
    seen.push(exchange);
    if (!refused && mentions(exchange, sent.default)) given++;
  }
  if (given !== 0 && given !== seen.length)
    throw new Undecided(`${given} of ${seen.length} responses contained the default`, seen);
  if (given === 0) {
    const asked = { key: data.id(), contextData: data.context() };
    const switched = await followsDefault(async (sent) => {
      const exchange = await asker.send({ ...asked, default: sent });
      return asker.outcome(exchange).kind === 'accepted' ? exchange : undefined;
    });
    if (switched) return { answer: 'on or off, as the default says', seen: switched };
    const refused = seen.filter((exchange) => asker.outcome(exchange).kind === 'refused');
    if (refused.length > 0)
      throw new NotAccepted(
        'the service refuses a text as default, and no response shows whether it used yes or no',
        refused,
      );
    return { answer: 'the default is not in the response', seen };
  }
  const { flagKey } = environment.data;
  if (flagKey) {
    const asked = { key: flagKey, default: data.id(), contextData: data.context() };
    const exchange = await asker.control(asked);
    if (mentions(exchange, asked.default))
      throw new Undecided('the response for an existing flag contains the default as well', [...seen, exchange]);
  }
  return { answer: 'the default, unchanged', seen };
};

/** Asks for FLAG_KEY, a flag that exists. If the service returns the default, it has lost the flag. */
const knownFlag: Question['ask'] = async (asker) => {
  const { data, environment } = asker.requests;
  const { flagKey } = environment.data;
  if (!flagKey) throw new Undecided('needs FLAG_KEY');
  const asked = { default: data.id(), contextData: data.context() };
  const nobodys = await asker.control({ key: data.id(), ...asked });
  if (!mentions(nobodys, asked.default))
    throw new Undecided('a response shows no default, so it shows no fallback', [nobodys]);
  const known = await asker.control({ key: flagKey, ...asked });
  return { answer: flagAnswer(known, nobodys, asked.default) ?? '', seen: [nobodys, known] };
};

export const flags: readonly Question[] = [
  {
    id: 'default-fallback',
    of: once('default-fallback', among('evaluate')),
    openIn: 'part 4, rule 8: how a response shows that the default was used is not shown',
    answers: 'the default, unchanged; on or off, as the default says; the default is not in the response',
    form: /^(the default, unchanged|on or off, as the default says|the default is not in the response)$/,
    broken: meanings({
      'the default, unchanged': ['returns the default of an undefined flag', 'it returned the default'],
      'on or off, as the default says': ['evaluates an undefined flag to on or off', 'it was on or off'],
      'the default is not in the response': [
        'no longer returns the default of an undefined flag',
        'it did not return the default',
      ],
    }),
    experiment: 'undefined keys with different defaults, and an existing flag',
    askedByRuns: true,
    ask: fallback,
    hold: 'again',
  },
  {
    id: 'known-flag',
    of: once('known-flag', among('evaluate')),
    openIn: 'part 4, rule 5: what a flag that exists evaluates to is not shown',
    answers: 'a value of its own, or the default',
    form: /^(a value of its own|the default)$/,
    broken: meanings({
      'a value of its own': ['gives FLAG_KEY a value of its own', 'it had a value of its own'],
      'the default': ['returns the default for FLAG_KEY, as if the flag were undefined', 'it returned the default'],
    }),
    experiment: 'an undefined key, which returns the default, and FLAG_KEY with another default',
    askedByRuns: true,
    ask: knownFlag,
    hold: 'again',
  },
];
