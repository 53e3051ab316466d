import type { BenchEnvironment } from './bench-environment.ts';

/** One line of the table. */
export interface Row {
  readonly what: string;
  readonly aim: string;
  /** The measurement for the table; empty if there is none. */
  readonly figure: string;
  readonly met: boolean;
  /** Why it wasn't measured here, or how it was. */
  readonly note?: string;
  readonly details: Readonly<Record<string, number>>;
}

/** Measures one row. @throws Unmeasurable where this machine lacks what it needs. */
export type Measure = (bench: BenchEnvironment) => Promise<Row>;

/** The machine lacks something, named in the message. */
export class Unmeasurable extends Error {
  override readonly name = 'Unmeasurable';
}

export const round = (value: number) => Math.round(value * 100) / 100;

/** Ours against theirs, measured in turn: `most` is the greatest ratio that meets the aim. */
export function ratioRow(what: string, most: number, ours: number, theirs: number, unit: string, note?: string): Row {
  const ratio = ours / theirs;
  return {
    what,
    aim: `≤ ${most}×`,
    figure: `${ratio.toFixed(2)}×`,
    met: ratio <= most,
    ...(note ? { note } : {}),
    details: { [`ours_${unit}`]: round(ours), [`theirs_${unit}`]: round(theirs), ratio: round(ratio) },
  };
}

/** A row that holds when `value` is at most `most`. */
export function limitRow(what: string, most: number, value: number, unit: string, rest: Partial<Row> = {}): Row {
  return {
    what,
    aim: `≤ ${most} ${unit}`,
    figure: `${round(value)} ${unit}`,
    met: value <= most,
    details: { value: round(value) },
    ...rest,
  };
}
