import { join } from 'node:path';
import { heapFlags } from '../../../src/cli/small-heap.ts';
import { runNode } from '../processes.ts';
import { type Measure, round } from '../row.ts';

/** Operations in one process, in the monitor's small heap; BENCH_OPERATIONS names another number than 20,000. */
export const memoryGrowth: Measure = async ({ env }) => {
  const operations = Number(process.env.BENCH_OPERATIONS ?? 20_000);
  const flags = ['--expose-gc', ...heapFlags(160)];
  const script = join(import.meta.dirname, '..', 'memory.ts');
  const { stdout } = await runNode([...flags, script, '1000', String(operations)], env);
  const { atFirst, atLast, residentAtFirst, resident } = JSON.parse(stdout) as Record<
    'atFirst' | 'atLast' | 'residentAtFirst' | 'resident',
    number
  >;
  const grownMb = (atLast - atFirst) / 1e6;
  return {
    what: `memory in use after ${operations.toLocaleString('en')} operations in one process, against after 1,000`,
    aim: 'grows by less than 10 MB',
    figure: `${grownMb.toFixed(1)} MB`,
    met: grownMb < 10,
    details: {
      atFirstMb: round(atFirst / 1e6),
      atLastMb: round(atLast / 1e6),
      residentAtFirstMb: round(residentAtFirst / 1e6),
      residentMb: round(resident / 1e6),
    },
  };
};
