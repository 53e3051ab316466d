import { type Claim, inside, Unproven } from '../../client/index.ts';
import { type OperationId, shownByOutcomesOf } from '../../spec/index.ts';
import { callByName } from '../data/call-by-name.ts';
import type { WorldWithData } from '../data/data-values.ts';
import { noteOutcome, type Subject } from '../data/memory.ts';
import { failed, probe } from '../specs/probe.ts';
import { drift } from './as-before.ts';
import { SWITCH, switches, switchPairs } from './flag-default.ts';

const evaluating = shownByOutcomesOf('flagDefault') as OperationId;

/** Defaults that a flag with such a value does not fall back to. */
const opposites: Readonly<Record<string, string>> = Object.fromEntries(
  switchPairs.flatMap(([yes, no]) => [
    [yes, no],
    [no, yes],
  ]),
);

/** Evaluates FLAG_KEY with a default that isn't its value: the response shows FLAG_VALUE, or, without that, no default where it never did. */
export async function flagValue(world: WorldWithData) {
  const call = callByName(await world.session());
  return probe(world, 'a flag that exists has its own value', async () => {
    const { environment, data } = world;
    const key = await world.value('flagKey');
    const { flagValue: value } = environment.data;
    const fallback = (value && opposites[value]) ?? data.id();
    const response = await call(evaluating, { key, default: fallback, contextData: data.context() }).isDecided();
    const { exchange } = inside(response);
    if (response.isRefusal)
      throw new Unproven('a default of text is refused; FLAG_VALUE says which default is not its value');
    if (value !== undefined) {
      const shown = switches(response);
      if ([...shown.values()].includes(value)) return;
      // A flag that is on or off may be shown in another word, but not in the one of a flag that doesn't exist.
      const unknown = { key: data.id(), default: fallback, contextData: data.context() };
      const other =
        value in opposites && ![...shown.values()].includes(fallback)
          ? switches(await call(evaluating, unknown).isDecided())
          : shown;
      if ([...shown].some(([place, word]) => SWITCH.test(word) && word !== other.get(place))) return;
      const claim = 'documented: a flag that exists is evaluated; the default is a fallback';
      const isFallback = inside(response).mentions(fallback) ? ', but the default is' : '';
      const observed = `${JSON.stringify(value)} (FLAG_VALUE) is not in the response${isFallback}`;
      throw failed(exchange, claim, observed);
    }
    const subject: Subject = { operation: evaluating, of: ['own value', key] };
    if (!inside(response).mentions(fallback)) {
      noteOutcome(environment, subject, 'accepted', exchange.startedAt);
      return;
    }
    const claim: Claim = `learned: ${key} has a value of its own here`;
    throw (
      drift(environment, exchange, { subject, claim, observed: 'it fell back to the default' }) ??
      new Unproven(`${key} falls back to the default; FLAG_VALUE says what it evaluates to`)
    );
  });
}
