import { join } from 'node:path';
import { runNode } from '../processes.ts';
import { type Measure, ratioRow } from '../row.ts';

/** The least of several processes: each measures both sides. */
const TIMES = 3;

export interface OperationCpu {
  /** CPU of one operation in µs. */
  readonly bare: number;
  readonly inProcess: number;
}

export async function operationCpu(env: Readonly<Record<string, string>>): Promise<OperationCpu> {
  let best: OperationCpu = { bare: Number.POSITIVE_INFINITY, inProcess: Number.POSITIVE_INFINITY };
  for (let index = 0; index < TIMES; index++) {
    const { stdout } = await runNode([join(import.meta.dirname, '..', 'cpu.ts')], env);
    const { bare, inProcess } = JSON.parse(stdout) as OperationCpu;
    best = { bare: Math.min(best.bare, bare), inProcess: Math.min(best.inProcess, inProcess) };
  }
  return best;
}

export const cpuAgainstFetch: Measure = async ({ env }) => {
  const { bare, inProcess } = await operationCpu(env);
  return ratioRow(
    'CPU of an operation in-process, against a bare `fetch` loop of the same requests',
    1.2,
    inProcess,
    bare,
    'us',
  );
};
