import { type AreaId, areaIds } from '../../spec/index.ts';
import type { Flip } from './flip.ts';
import { type Incident, isConnection } from './incident.ts';

/** What an incident affects. */
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

export function hostOf(address: string): string {
  return URL.parse(address)?.hostname ?? address;
}

/**
 * Grows when an incident gets worse in a way that people must hear of: by scenarios; for a connection by addresses and environments. The
 * addresses of an environment that was named before it failed are no news.
 */
export function sizeOf({ hits, cause }: Pick<Incident, 'hits' | 'cause'>): number {
  return isConnection(cause) ? newsOf(hits) : hits.length;
}

const sizes = new WeakMap<readonly Flip[], number>();

function newsOf(hits: readonly Flip[]): number {
  const before = sizes.get(hits);
  if (before !== undefined) return before;
  const addresses = new Set<string>();
  const [hit, named] = [new Set<string>(), new Set<string>()];
  let size = 0;
  for (const { scenario, cause } of hits) {
    const isNews = hit.has(scenario.environment) || !named.has(scenario.environment);
    hit.add(scenario.environment);
    for (const address of addressesOf({ cause })) {
      if (isNews && !addresses.has(address)) size++;
      addresses.add(address);
    }
    for (const other of cause.pattern?.others ?? []) {
      if (!named.has(other) && !hit.has(other)) size++;
      named.add(other);
    }
  }
  sizes.set(hits, size);
  return size;
}
