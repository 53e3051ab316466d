import { type Cause, causesOf, failureOfReason } from '../../engine/run/index.ts';
import { type AreaId, areaIds } from '../../spec/index.ts';
import { addressesOf, type Flip, hostOf, isConnection, scenarioKey } from './flip.ts';

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

/** What scenarios failed for, in a sentence (`Friends: unblock answers 500`): those that broke first, what merely follows last. */
export type CauseOfHits = Pick<Cause, 'sentence'> & { readonly hits: readonly Flip[] };

/** Hits are never changed, and asked for with each page and notice. */
const known = new WeakMap<readonly Flip[], readonly CauseOfHits[]>();

/** The gravest and best founded first, as everywhere: cause by cause, what merely follows behind what broke; then what began first. */
export function gravestFirst(hits: readonly Flip[]): readonly Flip[] {
  // Where nothing usable comes back, that is all of it.
  if (hits.length < 2 || hits.every(({ cause }) => isConnection(cause))) return hits;
  return causesOfHits(hits).flatMap((cause) => cause.hits);
}

/** Environments of one incident are weighed together. */
export function causesOfHits(hits: readonly Flip[]): readonly CauseOfHits[] {
  const before = known.get(hits);
  if (before) return before;
  const named = new Map(hits.map((hit) => [scenarioKey(hit.scenario), hit]));
  const inOrder = [...named].sort(([, a], [, b]) => a.since - b.since || a.id - b.id);
  const failures = inOrder.map(([title, { verdict, grade, reason = '', call }]) => {
    const failure = { ...failureOfReason(verdict, reason, grade), environment: '', title };
    return call ? { ...failure, call } : failure;
  });
  const causes = causesOf(failures).map(({ sentence, tests }) => ({
    sentence,
    hits: tests.flatMap((title) => named.get(title) ?? []),
  }));
  known.set(hits, causes);
  return causes;
}
