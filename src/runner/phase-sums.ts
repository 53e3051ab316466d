import { type Exchange, type Phases, phaseNames } from '../client/index.ts';

/** The last status of a run and its phases summed over its calls; empty without calls. */
export function phaseSums(exchanges: readonly Exchange[]): { status?: number; phases?: Phases } {
  const status = exchanges.findLast(({ response }) => response)?.response?.status;
  const sums: Phases = {};
  for (const { phases } of exchanges)
    for (const name of phaseNames) {
      const ms = phases[name];
      if (ms !== undefined) sums[name] = (sums[name] ?? 0) + ms;
    }
  for (const name of phaseNames) if (sums[name] !== undefined) sums[name] = Number(sums[name].toFixed(3));
  return {
    ...(status === undefined ? {} : { status }),
    ...(exchanges.length > 0 ? { phases: sums } : {}),
  };
}
