import { counted, type Environment } from '../../environment/index.ts';
import { readTags, whySkipped } from '../../scenario/index.ts';
import type { AreaId } from '../../service/index.ts';
import type { Scenario } from './collect-scenarios.ts';

/** The number of runs of the scenarios in an area. */
interface Runs {
  readonly area: AreaId | 'all';
  readonly times: number;
}

/**
 * The minimum that runs of irreversible scenarios use up for good, one item, clone or report for each run: `2 of 50 ids in STORED_ITEM_IDS,
 * 1 clone, 1 report`. `undefined` if a provisioner creates items, or if nothing is used up.
 */
export function usedUpBy({ provisionUrl, data }: Environment, runs: readonly Runs[]): string | undefined {
  if (provisionUrl) return undefined;
  const times = (area: AreaId) =>
    Math.round(runs.filter((each) => each.area === area).reduce((sum, each) => sum + each.times, 0));
  const [items, clones, reports] = [times('storage'), times('gameDesign'), times('stories')];
  const texts = [
    ...(items > 0 ? [`${items} of ${counted(data.storedItemIds.length, 'id')} in STORED_ITEM_IDS`] : []),
    ...(clones > 0 ? [counted(clones, 'clone')] : []),
    ...(reports > 0 ? [counted(reports, 'report')] : []),
  ];
  return texts.length > 0 ? texts.join(', ') : undefined;
}

/** The minimum that a single run uses up, counting the scenarios that the environment allows and has data for. */
export function usedUpOnce(environment: Environment, scenarios: readonly Scenario[]): string | undefined {
  const lasting = scenarios
    .filter(({ title, details }) => whySkipped(title, details.tag, environment) === undefined)
    .map(({ title, details }) => readTags(title, details.tag))
    .filter(({ effect, area }) => effect === 'irreversible' && hasData(environment, area));
  return usedUpBy(
    environment,
    lasting.map(({ area }) => ({ area, times: 1 })),
  );
}

function hasData({ data }: Environment, area: AreaId | 'all'): boolean {
  if (area === 'storage') return data.storedItemIds.length > 0;
  return area === 'gameDesign' ? data.typeName !== undefined : data.storyId !== undefined;
}
