import { type ApiResponse, type Call, inside } from '../../call/index.ts';
import { counted } from '../../environment/index.ts';
import type { Exchange } from '../../http/index.ts';
import { flagAnswer, isSwitched, switchesIn, switchPairs, valuesIn } from '../../questions/index.ts';
import { type Claim, ExpectationError, judge, Unproven } from '../../verdict/index.ts';
import type { WorldBasis } from '../data/world-basis.ts';
import { failed, probe } from '../specs/probe.ts';

const FALLBACK = { question: 'default-fallback', operation: 'evaluate' } as const;

const claim: Claim = 'documented: an undefined key returns the default of the call';

/** Evaluates a flag that nobody has: the response shows the default itself, or a flag that is on or off as the default says, by the fact about it. */
export function fallsBack(world: WorldBasis) {
  const { data, facts } = world;
  type Evaluate = (fallback: string) => Call;
  const title = 'evaluate feature falls back to the default';
  return probe(world, title, async (evaluate: Evaluate, fallback: string = data.id()) => {
    const isSwitch = (await facts.asked(FALLBACK.question, FALLBACK.operation))?.startsWith('on or off') ?? false;
    const send = async (given: string) => inside(await evaluate(given).isDecided(claim));
    const response = await send(fallback);
    const { exchange, entries } = response;
    const refused = shortfallOf(world, exchange, claim);
    if (!refused && response.mentions(fallback))
      return facts.holds(exchange, { ...FALLBACK, answer: 'the default, unchanged' });
    if (facts.fact(FALLBACK.question, FALLBACK.operation)?.answer === 'the default is not in the response')
      throw new Unproven('no response shows that the default was used, as the facts say');
    for (const pair of isSwitch ? switchPairs : []) {
      const [yes, no] = [await send(pair[0]), await send(pair[1])].map((each) => each.exchange) as [Exchange, Exchange];
      const isTaken = [yes, no].every((each) => !shortfallOf(world, each));
      if (isTaken && isSwitched(yes, no, refused ? undefined : exchange))
        return facts.holds(exchange, { ...FALLBACK, answer: 'on or off, as the default says' });
    }
    if (facts.isUnknown(FALLBACK.question, FALLBACK.operation))
      throw new Unproven(
        `the response does not show the default, and nothing is known of how it would; \`${facts.surveyCommand(FALLBACK.question, FALLBACK.operation)}\` finds it out`,
      );
    const where = entries === undefined ? 'the response' : counted(entries, 'entry', 'entries');
    const absent = `${JSON.stringify(fallback)} not found in ${where}${isSwitch ? ', and it does not follow a yes/no default' : ''}`;
    throw new ExpectationError(exchange, refused ?? { verdict: 'failed', claim, observed: absent });
  });
}

/**
 * How a response falls short of a success, if it does: a default may be refused.
 * @throws ExpectationError where the credentials are refused, for that says nothing of a flag.
 */
function shortfallOf({ environment }: WorldBasis, exchange: Exchange, because?: Claim): ReturnType<typeof judge> {
  const shortfall = judge(exchange, 'success', environment.successWhen, because);
  if (shortfall?.verdict === 'refused') throw new ExpectationError(exchange, shortfall);
  return shortfall;
}

const opposites: Readonly<Record<string, string>> = Object.fromEntries(
  switchPairs.flatMap(([yes, no]) => [
    [yes, no],
    [no, yes],
  ]),
);

/** A default that is not FLAG_VALUE. */
export function flagDefault({ environment, data }: WorldBasis): string {
  return opposites[environment.data.flagValue ?? ''] ?? data.id();
}

export interface Evaluation {
  readonly key: string;
  readonly default: string;
}

/** What FLAG_KEY evaluates to, next to a flag that nobody has: FLAG_VALUE or, without that, what the fact about it says. */
export function hasItsOwnValue(world: WorldBasis) {
  const title = 'a flag that exists has its own value';
  return probe(world, title, async (known: ApiResponse<Evaluation>, nobodys: ApiResponse) => {
    const { environment, facts } = world;
    const { flagValue: value } = environment.data;
    const { key, default: fallback } = known.sent;
    const [exchange, unknown] = [known, nobodys].map((response) => inside(response).exchange) as [Exchange, Exchange];
    for (const each of [exchange, unknown]) shortfallOf(world, each);
    if (known.isRefusal)
      throw facts.unjudged(
        'known-flag',
        'evaluate',
        'a default of text is refused; FLAG_VALUE says which default is not its value',
      );
    if (value === undefined) {
      const answer = flagAnswer(exchange, unknown, fallback);
      const why = `${key} falls back to the default; FLAG_VALUE says what it evaluates to`;
      const otherwise = answer === 'the default' ? why : undefined;
      if (answer) facts.holds(exchange, { question: 'known-flag', answer, otherwise });
      return;
    }
    const shown = valuesIn(exchange);
    if ([...shown.values()].includes(value)) return;
    // A flag that is on or off may be shown in another word, but not in the one of a flag that doesn't exist.
    const isOther = value in opposites && ![...shown.values()].includes(fallback);
    const others = isOther ? valuesIn(unknown) : shown;
    if ([...switchesIn(exchange)].some(([place, word]) => word !== others.get(place))) return;
    const isFallback = inside(known).mentions(fallback) ? ', but the default is' : '';
    const observed = `${JSON.stringify(value)} (FLAG_VALUE) is not in the response${isFallback}`;
    throw failed(exchange, 'documented: a flag that exists is evaluated; the default is a fallback', observed);
  });
}
