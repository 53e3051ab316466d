import { type Phases, phaseNames } from '../../client/index.ts';

/** How many runs had phases, and the sum of each phase over them, in ms. */
export interface PhaseSums {
  readonly runs: number;
  readonly ms: Phases;
}

/** The sums with one more run. */
export function withPhases(sums: PhaseSums | undefined, phases: Phases | undefined): PhaseSums | undefined {
  return phases ? addPhaseSums(sums, { runs: 1, ms: phases }) : sums;
}

export function addPhaseSums(a: PhaseSums | undefined, b: PhaseSums | undefined): PhaseSums | undefined {
  if (!a || !b) return a ?? b;
  const ms: Phases = {};
  for (const name of phaseNames) {
    const sum = (a.ms[name] ?? 0) + (b.ms[name] ?? 0);
    if (sum > 0) ms[name] = Number(sum.toFixed(1));
  }
  return { runs: a.runs + b.runs, ms };
}

/** The mean of each phase over the runs, in ms. */
export function meanPhases({ runs, ms }: PhaseSums): Phases {
  return Object.fromEntries(Object.entries(ms).map(([name, sum]) => [name, sum / runs])) as Phases;
}
