import { type AreaId, areaIds } from '../../spec/index.ts';
import type { Flip } from './flip.ts';
import { addressesOf, hostOf } from './incident.ts';

/** What flips affect: those of an incident, or some of them. */
export function extentOf(hits: readonly Flip[]) {
  const areas = new Set(hits.flatMap(({ area, cause }): readonly (AreaId | 'all')[] => cause.pattern?.areas ?? [area]));
  const addresses = [...new Set(hits.flatMap(addressesOf))];
  const named = hits.flatMap(({ scenario, cause }) => [scenario.environment, ...(cause.pattern?.others ?? [])]);
  /** That of the first flip first, and those that were only seen to fail with it. */
  const environments = [...new Set(named)];
  return {
    /** In the order of the specification. */
    areas: [...areaIds, 'all' as const].filter((area) => areas.has(area)),
    addresses,
    /** How many base addresses the environment has; 0 where that is unknown: an expectation broke, there are several environments, or an earlier version wrote it. */
    of: environments.length > 1 ? 0 : Math.max(0, ...hits.map(({ cause }) => cause.pattern?.of ?? 0)),
    environments,
    /** Names of the hosts of the addresses. */
    hosts: new Set(addresses.map(hostOf)),
  };
}
