import { type AreaId, areaIds } from '../../spec/index.ts';
import type { Flip } from './flip.ts';
import type { Incident } from './incident.ts';

/** What flips affect: those of an incident, or some of them. */
export interface Extent {
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

/** Hits are never changed, and asked for with every run. */
const known = new WeakMap<readonly Flip[], Extent>();

export function extentOf({ hits }: Pick<Incident, 'hits'>): Extent {
  const extent = known.get(hits) ?? compute(hits);
  known.set(hits, extent);
  return extent;
}

function compute(hits: readonly Flip[]): Extent {
  const found = new Set<AreaId | 'all'>();
  const addresses = new Set<string>();
  const environments = new Set<string>();
  let of = 0;
  for (const { area, cause, scenario } of hits) {
    for (const one of cause.pattern?.areas ?? [area]) found.add(one);
    for (const address of addressesOf({ cause })) addresses.add(address);
    for (const name of [scenario.environment, ...(cause.pattern?.others ?? [])]) environments.add(name);
    of = Math.max(of, cause.pattern?.of ?? 0);
  }
  return {
    areas: [...areaIds, 'all' as const].filter((area) => found.has(area)),
    addresses: [...addresses],
    of: environments.size > 1 ? 0 : of,
    environments: [...environments],
    hosts: new Set([...addresses].map(hostOf)),
  };
}

/** The base addresses that are known to fail with a flip. */
export function addressesOf({ cause }: Pick<Flip, 'cause'>): readonly string[] {
  return cause.pattern?.addresses ?? [cause.address];
}

/** Asked for with each flip, of a few addresses. */
const hosts = new Map<string, string>();

export function hostOf(address: string): string {
  const before = hosts.get(address);
  if (before !== undefined) return before;
  const host = URL.parse(address)?.hostname ?? address;
  hosts.set(address, host);
  return host;
}
