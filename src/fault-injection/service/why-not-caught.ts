import { verdicts } from '../../client/index.ts';
import type { Environment } from '../../config/index.ts';
import type { Scenario, ScenarioResult } from '../../runner/index.ts';
import type { WireFault } from '../wire/act.ts';
import { concerned, type Healthy } from './plan.ts';

/** Why no scenario that runs here meets a fault: what keeps those away that would, with its cure. */
export function whyUnseen(
  fault: WireFault,
  scenarios: readonly Scenario[],
  healthy: Healthy,
  { name, readProfile }: Pick<Environment, 'name' | 'readProfile'>,
): string {
  const there = concerned(fault, scenarios, healthy).flatMap(({ title }) => healthy.get(title) ?? []);
  const red = there.find(({ verdict }) => verdicts[verdict].ran);
  if (red) return `"${red.title}" is ${red.verdict} without the fault: ${red.reason}; npx sextant check --env ${name}`;
  const [reason, first] = mostFrequent(there);
  if (!reason)
    return readProfile ? 'no scenario sends it' : 'no scenario sends it; FRIEND_PROFILE_REQUEST would show more';
  return first?.unproven ? `nothing to break: ${reason}; npx sextant survey --env ${name} finds out how it is` : reason;
}

/** Why every scenario that met a fault stays green, and what would change that: a scenario that could not run, or what nobody knows yet. */
export function whySurvived(
  fault: WireFault,
  scenarios: readonly Scenario[],
  healthy: Healthy,
  { name, readProfile, facts }: Environment,
): string {
  const { way, operation } = fault;
  const known = way.survives?.(operation, readProfile !== undefined);
  if (known) return known;
  const others = concerned(fault, scenarios, healthy).flatMap(({ title }) => healthy.get(title) ?? []);
  const [skipped] = mostFrequent(others.filter(({ verdict }) => !verdicts[verdict].ran));
  if (skipped) return `${skipped}, for a scenario that would look at it`;
  return facts
    ? 'no scenario looks at it; npx sextant new scenario'
    : `no scenario looks at it; npx sextant survey --env ${name} learns the responses, and then a changed one is drift`;
}

/** The most frequent reason of several results, with the first that gives it. */
function mostFrequent(results: readonly ScenarioResult[]): [reason?: string, first?: ScenarioResult] {
  const byReason = Map.groupBy(results, ({ reason = 'skipped' }) => reason);
  const [most] = [...byReason].sort(([, a], [, b]) => b.length - a.length);
  return most ? [most[0], most[1][0] as ScenarioResult] : [];
}

/** Where scenarios ran, and the broken request was not among theirs. */
export function whyUnmet({ way }: WireFault): string {
  return way.needs ?? 'no scenario gets as far as that here';
}
