import { counted } from '../environment/index.ts';
import type { Matrix, MatrixRow } from './matrix.ts';
import type { Symptom } from './symptom.ts';

export interface RedScenario {
  readonly title: string;
  readonly symptom?: Symptom;
  /** The operation of its failing call, where that is known. */
  readonly operation?: string;
}

export interface LikelyCauses {
  /** At most three, best first. `likeness`: 0 to 1, the Jaccard similarity of both patterns. 1 means the same pattern. */
  readonly causes: readonly { readonly name: string; readonly likeness: number }[];
  /** Number of further faults that are as similar as the last of these. */
  readonly further: number;
  /** Number of faults that they were chosen from: those that the scenarios that ran can catch. */
  readonly drawnFrom: number;
}

/**
 * Below these nothing is named: a wrong cause costs more than none. Measured on the kill matrix (likely-cause.test.ts): of faults
 * that it doesn't hold, the operation named is right in nine of ten cases; with half a pattern in common it was seven of ten.
 */
const LEAST_LIKENESS = 0.8;
const LEAST_RED = 3;
const MOST = 3;

/**
 * The faults of one operation whose pattern of failures is most similar, and which end the same failing calls in the same way: of the
 * same operations, with the same status, phase and kind of body. Only scenarios that ran count: one that the environment doesn't allow neither failed nor passed.
 */
export function likelyCauses(matrix: Matrix, red: readonly RedScenario[], ran: readonly string[]): LikelyCauses {
  const seen = new Set(red.map(({ title }) => title));
  const judged = new Set([...ran, ...seen]);
  const candidates = matrix.faults
    .map((row) => ({ ...row, caughtBy: row.caughtBy.filter((title) => judged.has(title)) }))
    .filter(({ caughtBy }) => caughtBy.length > 0);
  const similar = candidates
    .filter((each) => agrees(red, each))
    .map(({ name, operation, caughtBy }) => ({ name, operation, likeness: likeness(seen, new Set(caughtBy)) }))
    .filter((cause) => cause.likeness >= LEAST_LIKENESS)
    .sort((a, b) => b.likeness - a.likeness || a.name.localeCompare(b.name));
  const least = similar[MOST - 1]?.likeness ?? 0;
  const best = similar.filter((cause) => cause.likeness >= least);
  // Of several operations any may be the one.
  const isClear = seen.size >= LEAST_RED && new Set(best.map(({ operation }) => operation)).size === 1;
  const causes = isClear ? best.slice(0, MOST).map(({ name, likeness }) => ({ name, likeness })) : [];
  return { causes, further: isClear ? best.length - causes.length : 0, drawnFrom: candidates.length };
}

/** Whether every failing call that the fault explains is one that the fault ends, and ended as the fault ends calls. */
function agrees(red: readonly RedScenario[], { caughtBy, symptoms = [], failsAt }: MatrixRow): boolean {
  const explained = red.filter(({ title }) => caughtBy.includes(title));
  return explained.every(
    ({ symptom, operation }) =>
      symptom !== undefined &&
      symptoms.includes(symptom) &&
      (operation === undefined || failsAt === undefined || failsAt.includes(operation)),
  );
}

function likeness(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const shared = a.intersection(b).size;
  return shared === 0 ? 0 : shared / a.union(b).size;
}

/** One line for a summary; empty if no fault is similar. */
export function likelyCauseLine({ causes, further, drawnFrom }: LikelyCauses): string {
  if (causes.length === 0) return '';
  const matches = causes.map(({ name, likeness: share }) => `${name} (${Math.round(share * 100)} %)`);
  const more = further > 0 ? ` or ${further} more` : '';
  return `Looks like: ${matches.join(', ')}${more}; the share of failing scenarios in common, drawn from ${counted(drawnFrom, 'fault')}, with responses that agree (docs/kill-matrix.md).`;
}
