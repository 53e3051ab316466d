import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FaultKind } from '../../reference-service/index.ts';
import { caughtBy, type Drilled, type DrillOptions } from '../../src/drill/index.ts';

/** One row of the kill matrix: a fault, and every scenario that caught it in the last complete drill. */
interface MatrixRow {
  readonly name: string;
  readonly operation: string;
  readonly kind: FaultKind;
  readonly grade: 'documented' | 'assumed';
  readonly caughtBy: readonly string[];
}

interface VariantRow {
  readonly name: string;
  readonly alarms: readonly string[];
}

export interface Matrix {
  readonly faults: readonly MatrixRow[];
  readonly variants: readonly VariantRow[];
}

export const matrixFile = join(import.meta.dirname, 'matrix.json');

export function committedMatrix(): Matrix {
  return JSON.parse(readFileSync(matrixFile, 'utf8'));
}

/**
 * The scenarios to play for each fault: of the scenarios that caught the fault, those that `comparable` selects, or all if it selects none.
 * A fault that no scenario caught is left out.
 */
export function catchers(
  { faults }: Matrix,
  comparable: (title: string) => boolean = () => true,
): NonNullable<DrillOptions['only']> {
  const chosen = faults.map(({ name, caughtBy }) => {
    const compared = caughtBy.filter(comparable);
    return [name, compared.length > 0 ? compared : caughtBy] as const;
  });
  return Object.fromEntries(chosen.filter(([, titles]) => titles.length > 0));
}

export function matrixOf({ faults, variants }: Pick<Drilled, 'faults' | 'variants'>): Matrix {
  return {
    faults: faults.map((outcome) => {
      const { name, operation, kind, grade } = outcome.fault;
      return { name, operation, kind, grade, caughtBy: caughtBy(outcome) };
    }),
    variants: variants.map(({ variant, red }) => ({ name: variant.name, alarms: red.map(({ title }) => title) })),
  };
}

/** The text of `matrix.json`: one line per fault and variant, for readable diffs. */
export function matrixText({ faults, variants }: Matrix): string {
  const lines = (rows: readonly object[]) => rows.map((row) => JSON.stringify(row)).join(',\n');
  return `{"faults":[\n${lines(faults)}\n],"variants":[\n${lines(variants)}\n]}\n`;
}

/**
 * Matches the names of faults in every tenth response. A read is repeated until it shows a change, so the speed of the machine decides
 * which scenario gets this response and catches the fault.
 */
const DEPENDS_ON_THE_COUNT = /-fails-every-tenth-time$/;

/**
 * The differences between two matrices, only for scenarios that `comparable` selects. `comparable` must leave out model tests, because
 * random steps decide which faults they catch.
 */
export function differences(committed: Matrix, found: Matrix, comparable: (title: string) => boolean): string[] {
  const before = new Map(committed.faults.map((row) => [row.name, row]));
  return found.faults.flatMap(({ name, caughtBy: now }) => {
    const then = before.get(name);
    if (!then) return [`${name} is missing`];
    if (DEPENDS_ON_THE_COUNT.test(name)) return now.length > 0 ? [] : [`${name} is no longer caught`];
    const gone = then.caughtBy.filter((title) => comparable(title) && !now.includes(title));
    const come = now.filter((title) => comparable(title) && !then.caughtBy.includes(title));
    return [
      ...gone.map((title) => `${name} is no longer caught by "${title}"`),
      ...come.map((title) => `${name} is now caught by "${title}"`),
    ];
  });
}
