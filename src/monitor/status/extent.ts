import { type AreaId, areaIds } from '../../spec/index.ts';
import type { Flip } from './flip.ts';
import { addressesOf, hostOf } from './incident.ts';

/** What flips affect: those of an incident, or some of them. */
interface Extent {
  /** In the order of the specification. */
  readonly areas: readonly (AreaId | 'all')[];
  readonly addresses: readonly string[];
  /** How many base addresses the environment has; 0 where that is unknown: an expectation broke, there are several environments, or an earlier version wrote it. */
  readonly of: number;
  /** That of the first flip first, and those that were only seen to fail with it. */
  readonly environments: readonly string[];
  /** Names of the hosts of the addresses. */
  readonly hosts: ReadonlySet<string>;
}

export function extentOf(hits: readonly Flip[]): Extent {
  const areas = new Set(hits.flatMap(({ area, cause }): readonly (AreaId | 'all')[] => cause.pattern?.areas ?? [area]));
  const addresses = [...new Set(hits.flatMap(addressesOf))];
  const named = hits.flatMap(({ scenario, cause }) => [scenario.environment, ...(cause.pattern?.others ?? [])]);
  const environments = [...new Set(named)];
  return {
    areas: [...areaIds, 'all' as const].filter((area) => areas.has(area)),
    addresses,
    of: environments.length > 1 ? 0 : Math.max(0, ...hits.map(({ cause }) => cause.pattern?.of ?? 0)),
    environments,
    hosts: new Set(addresses.map(hostOf)),
  };
}
