import { verdicts } from '../../client/index.ts';
import type { Environment } from '../../config/index.ts';
import type { ScenarioResult } from '../../runner/index.ts';
import type { WireFault } from '../wire/act.ts';
import { concerned, folderOf, type Healthy } from './plan.ts';

/** Why no scenario that runs here meets a fault: what keeps those away that would, with its cure. */
export function whyUnseen(fault: WireFault, healthy: Healthy, { name, readProfile }: Environment): string {
  const found = keptAway(fault, healthy, name);
  if (!found)
    return readProfile ? 'no scenario sends it' : 'no scenario sends it; FRIEND_PROFILE_REQUEST would show more';
  return found.isUnproven
    ? `nothing to break: ${found.reason}; npx sextant survey --env ${name} finds out how it is`
    : found.reason;
}

/** Why every scenario that met a fault stays green, and what would change that: a scenario that could not run, or what nobody knows yet. */
export function whySurvived(fault: WireFault, healthy: Healthy, { name, readProfile, facts }: Environment): string {
  const { way, operation } = fault;
  const known = way.survives?.(operation, readProfile !== undefined);
  if (known) return known;
  const found = keptAway(fault, healthy, name);
  if (found) return `${found.reason}, for a scenario that would look at it`;
  return facts
    ? 'no scenario looks at it; npx sextant new scenario'
    : `no scenario looks at it; npx sextant survey --env ${name} learns the responses, and then a changed one is drift`;
}

/** What keeps most of the scenarios away that are about what is broken; `undefined` where nothing does. */
function keptAway(fault: WireFault, { scenarios, results }: Healthy, name: string) {
  // Generated specs about headers see nothing else.
  const about = scenarios.filter((each) => fault.way.header || folderOf(each) !== 'auth');
  const away = concerned(fault, { scenarios: about, results })
    .flatMap(({ title }) => results.get(title) ?? [])
    .filter(({ verdict }) => verdicts[verdict].exitCode !== 0)
    .map((result) => ({ reason: reasonOf(result, name), isUnproven: result.unproven === true }));
  const [most = []] = [...Map.groupBy(away, ({ reason }) => reason).values()].sort((a, b) => b.length - a.length);
  return most[0];
}

function reasonOf({ title, verdict, reason = verdict, exchanges }: ScenarioResult, name: string): string {
  if (!verdicts[verdict].ran) return reason;
  if (exchanges.some(({ tampered }) => tampered)) return `"${title}" changes what can't be put back here`;
  return `"${title}" is ${verdict} without the fault; npx sextant check --env ${name}`;
}

/** Where scenarios ran, and the broken request was not among theirs. */
export function whyUnmet({ way }: WireFault): string {
  return way.needs ?? 'no scenario gets as far as that here';
}
