import { gradeTable } from '../../client/index.ts';
import type { Flip } from './flip.ts';

const ranks = new Map(Object.keys(gradeTable).map((grade, rank) => [grade, rank]));

/**
 * The best founded first: what the specification documents before what is only assumed. Of one grade, the reason that most scenarios
 * share comes first, because an operation that broke takes others with it; then what began first.
 */
export function gravestFirst(hits: readonly Flip[]): readonly Flip[] {
  if (hits.length < 2) return hits;
  const shared = new Map<string, number>();
  for (const { reason = '' } of hits) shared.set(reason, (shared.get(reason) ?? 0) + 1);
  const rankOf = ({ grade }: Flip) => ranks.get(grade ?? '') ?? ranks.size;
  const sharedBy = ({ reason = '' }: Flip) => shared.get(reason) ?? 0;
  return [...hits].sort(
    (a, b) => rankOf(a) - rankOf(b) || sharedBy(b) - sharedBy(a) || a.since - b.since || a.id - b.id,
  );
}
