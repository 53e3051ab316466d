import type { Matrix } from './matrix.ts';

/** A fault that would give a pattern of red like this one. */
export interface LikelyCause {
  readonly name: string;
  /** 0 to 1: what both patterns share, of what either has (Jaccard). 1 is just this pattern. */
  readonly likeness: number;
}

/** Below this, a likeness says nothing. */
const LEAST_LIKENESS = 0.2;

/**
 * The faults whose pattern of red is most like the one seen, best three first. Only scenarios that were run count:
 * what an environment doesn't allow is neither red nor green.
 */
export function likelyCauses(matrix: Matrix, red: readonly string[], ran: readonly string[]): LikelyCause[] {
  const seen = new Set(red);
  const judged = new Set([...ran, ...red]);
  return matrix.faults
    .map(({ name, caughtBy }) => ({ name, likeness: likeness(seen, new Set(caughtBy.filter((t) => judged.has(t)))) }))
    .filter((cause) => cause.likeness >= LEAST_LIKENESS)
    .sort((a, b) => b.likeness - a.likeness || a.name.localeCompare(b.name))
    .slice(0, 3);
}

function likeness(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const shared = a.intersection(b).size;
  return shared === 0 ? 0 : shared / a.union(b).size;
}

/** One line for a summary; empty when nothing in the catalogue looks like it. */
export function likelyCauseLine(causes: readonly LikelyCause[]): string {
  if (causes.length === 0) return '';
  const told = causes.map(({ name, likeness: share }) => `${name} (${Math.round(share * 100)} %)`);
  return `Looks like: ${told.join(', ')}. These faults make the same scenarios fail (docs/kill-matrix.md).`;
}
