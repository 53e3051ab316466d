import { causesOf, failureOfReason } from '../../scenario/index.ts';
import type { Flip } from './flip.ts';
import { nameOf } from './incident.ts';

/** The gravest and best founded first, as everywhere: cause by cause, what merely follows behind what broke; then what began first. */
export function gravestFirst(hits: readonly Flip[]): readonly Flip[] {
  if (hits.length < 2) return hits;
  const named = new Map(hits.map((hit) => [nameOf(hit.scenario), hit]));
  // Environments of one incident are weighed together.
  const failures = [...named]
    .sort(([, a], [, b]) => a.since - b.since || a.id - b.id)
    .map(([title, { verdict, reason = '' }]) => ({ ...failureOfReason(verdict, reason), environment: '', title }));
  return causesOf(failures).flatMap(({ tests }) => tests.flatMap((title) => named.get(title) ?? []));
}
