import { type ApiResponse, inside } from '../../call/index.ts';
import { counted } from '../../environment/index.ts';
import { leaves } from '../../http/index.ts';
import { SWITCH, switchPairs } from '../../questions/index.ts';
import {
  type Claim,
  ExpectationError,
  outcomeOf,
  type ServiceUnderTest,
  type Shortfall,
  Unproven,
} from '../../verdict/index.ts';
import { needed } from '../data/data-values.ts';
import type { WorldBasis } from '../data/world-basis.ts';
import { failed, probe } from '../specs/probe.ts';

export interface Evaluation {
  readonly key: string;
  readonly default: string;
  readonly contextData: Readonly<Record<string, string>>;
}

/** The fact about how a response shows that the default was used. */
const FALLBACK = 'default-fallback';

const evaluating = 'evaluate';

const claim: Claim = 'documented: an undefined key returns the default of the call';

/** An undefined key must return its default: the text itself, or a flag that is on or off as the default says, by the fact about it. */
export async function flagFallback(world: WorldBasis) {
  const call = await world.call();
  const { facts, environment } = world;
  const known = await facts.asked(FALLBACK, evaluating);
  const isSwitch = known?.startsWith('on or off') ?? false;
  return probe(world, 'evaluate feature falls back to the default', async (asked: Evaluation) => {
    const send = (fallback: string) => call(evaluating, { ...asked, default: fallback }).isDecided(claim);
    const response = await send(asked.default);
    const refused = shortfallOf(response, environment, claim);
    if (!refused && inside(response).mentions(asked.default)) return;
    if (facts.fact(FALLBACK, evaluating)?.answer === 'the default is not in the response')
      throw new Unproven('no response shows that the default was used, as the facts say');
    if (isSwitch) for (const [yes, no] of switchPairs) if (follows(await send(yes), await send(no), response)) return;
    const { exchange, entries } = inside(response);
    if (facts.isUnknown(FALLBACK, evaluating))
      throw new Unproven(
        `the response does not show the default, and nothing is known of how it would; \`${facts.surveyCommand(FALLBACK, evaluating)}\` finds it out`,
      );
    const where = entries === undefined ? 'the response' : counted(entries, 'entry', 'entries');
    const absent = `${JSON.stringify(asked.default)} not found in ${where}${isSwitch ? ', and it does not follow a yes/no default' : ''}`;
    throw new ExpectationError(exchange, refused ?? { verdict: 'failed', claim, observed: absent });
  });
}

/**
 * How a response falls short of a success, if it does: a default may be refused.
 * @throws ExpectationError where the credentials are refused, for that says nothing of a flag.
 */
function shortfallOf(response: ApiResponse, { successWhen }: ServiceUnderTest, because?: Claim): Shortfall | undefined {
  const { exchange } = inside(response);
  const shortfall = outcomeOf(exchange, successWhen).shortfall('success', because);
  if (shortfall?.verdict === 'refused') throw new ExpectationError(exchange, shortfall);
  return shortfall;
}

/** Whether a switch in the response stands as the default says, and is a switch for a default of text too. */
function follows(yes: ApiResponse, no: ApiResponse, text: ApiResponse): boolean {
  if (yes.isRefusal || no.isRefusal) return false;
  const [on, off, other] = [yes, no, text].map(switches) as [Switches, Switches, Switches];
  return [...on].some(([place, value]) => {
    const opposite = off.get(place);
    const isSwitch = text.isRefusal || SWITCH.test(other.get(place) ?? '');
    return opposite !== undefined && value !== opposite && isSwitch && SWITCH.test(value) && SWITCH.test(opposite);
  });
}

type Switches = ReadonlyMap<string, string>;

function switches(response: ApiResponse): Switches {
  const found = [...leaves(inside(response).json)].filter(({ isKey }) => !isKey);
  return new Map(found.map(({ path, text }) => [path.join('/'), text]));
}

const opposites: Readonly<Record<string, string>> = Object.fromEntries(
  switchPairs.flatMap(([yes, no]) => [
    [yes, no],
    [no, yes],
  ]),
);

/** Evaluates FLAG_KEY with a default that isn't its value: the response shows FLAG_VALUE, or, without that, what the fact about it says. */
export async function flagValue(world: WorldBasis) {
  const call = await world.call();
  return probe(world, 'a flag that exists has its own value', async () => {
    const { environment, data, facts } = world;
    const key = needed(world.environment.data.flagKey, 'FLAG_KEY');
    const { flagValue: value } = environment.data;
    const fallback = (value && opposites[value]) ?? data.id();
    const evaluate = async (asked: string) => {
      const args = { key: asked, default: fallback, contextData: data.context() };
      const response = await call(evaluating, args).isDecided();
      shortfallOf(response, environment);
      return response;
    };
    const response = await evaluate(key);
    const { exchange } = inside(response);
    if (response.isRefusal)
      throw facts.unjudged(
        'known-flag',
        evaluating,
        'a default of text is refused; FLAG_VALUE says which default is not its value',
      );
    if (value !== undefined) {
      const shown = switches(response);
      if ([...shown.values()].includes(value)) return;
      // A flag that is on or off may be shown in another word, but not in the one of a flag that doesn't exist.
      const isOther = value in opposites && ![...shown.values()].includes(fallback);
      const other = isOther ? switches(await evaluate(data.id())) : shown;
      if ([...shown].some(([place, word]) => SWITCH.test(word) && word !== other.get(place))) return;
      const isFallback = inside(response).mentions(fallback) ? ', but the default is' : '';
      const observed = `${JSON.stringify(value)} (FLAG_VALUE) is not in the response${isFallback}`;
      throw failed(exchange, 'documented: a flag that exists is evaluated; the default is a fallback', observed);
    }
    const isOwn = !inside(response).mentions(fallback);
    // A response that shows no default at all shows no value of a flag either.
    if (isOwn && !inside(await evaluate(data.id())).mentions(fallback)) return;
    const otherwise = isOwn ? undefined : `${key} falls back to the default; FLAG_VALUE says what it evaluates to`;
    facts.holds(response, {
      question: 'known-flag',
      answer: isOwn ? 'a value of its own' : 'the default',
      otherwise,
    });
  });
}
