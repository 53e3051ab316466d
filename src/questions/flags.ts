import { type Exchange, leaves } from '../http/index.ts';
import { type Asker, NotAccepted, Undecided } from './asker/asker.ts';
import { bodyOf, mentions } from './asker/reaction.ts';
import { among, meanings, once, type Question } from './question.ts';

const TRIALS = 3;
/** Where none of so many shows its default, the pairs of yes and no decide; a run may send ten requests in all. */
const TRIALS_WITHOUT = 2;

async function evaluate({ requests, control }: Asker, key: string, fallback = requests.data.id()) {
  const exchange = await control({ key, default: fallback, contextData: requests.data.context() });
  return { exchange, isGiven: mentions(exchange, fallback) };
}

/** Defaults that mean yes and no, the commonest first. */
export const switchPairs = [
  ['true', 'false'],
  ['on', 'off'],
  ['1', '0'],
  ['yes', 'no'],
] as const;

/** Whether a flag that nobody has is on or off, as a default of yes or no says. */
async function followsDefault(asker: Asker): Promise<readonly Exchange[] | undefined> {
  const key = asker.requests.data.id();
  for (const pair of switchPairs) {
    const seen: Exchange[] = [];
    for (const fallback of pair)
      seen.push(await asker.send({ key, default: fallback, contextData: asker.requests.data.context() }));
    if (seen.some((exchange) => asker.outcome(exchange).kind !== 'accepted')) continue;
    const [on, off] = seen.map(switches);
    if ([...(on ?? [])].some(([place, value]) => off?.has(place) && off.get(place) !== value)) return seen;
  }
  return undefined;
}

export const SWITCH = /^(true|false|on|off|1|0|yes|no|(en|dis)abled|(in)?active)$/i;

function switches(exchange: Exchange): ReadonlyMap<string, string> {
  const found = [...leaves(bodyOf(exchange))].filter(({ text, isKey }) => !isKey && SWITCH.test(text));
  return new Map(found.map(({ path, text }) => [path.join('/'), text]));
}

/**
 * Whether an undefined key returns the default that was sent; asked with different defaults. If an existing flag is known, its
 * response must not contain the default: a service that echoes requests always contains it.
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
    const switched = await followsDefault(asker);
    if (switched) return { answer: 'on or off, as the default says', seen: switched };
    const refused = seen.filter((exchange) => asker.outcome(exchange).kind === 'refused');
    if (refused.length > 0)
      throw new NotAccepted('a default of text is refused, and no yes or no shows in a response', refused);
    return { answer: 'the default is not in the response', seen };
  }
  const { flagKey } = environment.data;
  if (flagKey) {
    const { exchange, isGiven } = await evaluate(asker, flagKey);
    if (isGiven)
      throw new Undecided('the response for an existing flag contains the default as well', [...seen, exchange]);
  }
  return { answer: 'the default, unchanged', seen };
};

/** A known flag that falls back to the default is one that the service has lost. */
const knownFlag: Question['ask'] = async (asker) => {
  const { flagKey } = asker.requests.environment.data;
  if (!flagKey) throw new Undecided('needs FLAG_KEY');
  const unknown = await evaluate(asker, asker.requests.data.id());
  if (!unknown.isGiven) throw new Undecided('a response shows no default, so it shows no fallback', [unknown.exchange]);
  const known = await evaluate(asker, flagKey);
  return { answer: known.isGiven ? 'the default' : 'a value of its own', seen: [unknown.exchange, known.exchange] };
};

export const flags: readonly Question[] = [
  {
    id: 'default-fallback',
    of: once('default-fallback', among('evaluate')),
    openIn: 'part 4, rule 8: how a response shows that the default was used is not shown',
    answers: 'the default, unchanged; on or off, as the default says; the default is not in the response',
    form: /^(the default, unchanged|on or off, as the default says|the default is not in the response)$/,
    broken: meanings({
      'the default, unchanged': ['returns the default of a flag that nobody has', 'it returned the default'],
      'on or off, as the default says': ['evaluates a flag that nobody has to on or off', 'it was on or off'],
      'the default is not in the response': [
        'no longer returns the default of a flag that nobody has',
        'it did not return the default',
      ],
    }),
    experiment: 'keys that nobody has with different defaults, and an existing flag',
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
      'the default': ['returns the default for FLAG_KEY, as if nobody had that flag', 'it returned the default'],
    }),
    experiment: 'a key that nobody has, which returns the default, and FLAG_KEY with another default',
    askedByRuns: true,
    ask: knownFlag,
    hold: 'again',
  },
];
