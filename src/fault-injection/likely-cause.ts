import type { Matrix } from './matrix.ts';

/** A fault with a similar pattern of failures. */
export interface LikelyCause {
  readonly name: string;
  /** 0 to 1: the Jaccard similarity of both patterns. 1 means the same pattern. */
  readonly likeness: number;
}

/** Lower similarities are ignored. */
const LEAST_LIKENESS = 0.2;

/**
 * The three faults whose pattern of failures is most similar, best first. Only scenarios that ran count:
 * a scenario that the environment doesn't allow neither failed nor passed.
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

/** One line for a summary; empty if no fault is similar. */
export function likelyCauseLine(causes: readonly LikelyCause[]): string {
  if (causes.length === 0) return '';
  const matches = causes.map(({ name, likeness: share }) => `${name} (${Math.round(share * 100)} %)`);
  return `Looks like: ${matches.join(', ')}. These faults make the same scenarios fail (docs/kill-matrix.md).`;
}
