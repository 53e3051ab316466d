import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { watch } from '../monitor-process.ts';
import { type Measure, round } from '../row.ts';

const ENVIRONMENTS = 50;
const MINUTES = Number(process.env.BENCH_MINUTES ?? 3);

/** All of them are at one service; to the monitor they are apart. */
export const monitorMany: Measure = async (bench) => {
  const names = Array.from({ length: ENVIRONMENTS }, (_, index) => `many${index}`);
  for (const name of names) copyFileSync(join(bench.folder, 'bench.env'), join(bench.folder, `${name}.env`));
  const { before, after, wallMs, lateness } = await watch(bench, names, {
    every: '60s',
    warmUpMs: 75_000,
    minutes: MINUTES,
  });
  const share = (100 * (after.cpuMs - before.cpuMs)) / wallMs;
  const p99 = lateness[Math.floor(lateness.length * 0.99)] ?? Number.POSITIVE_INFINITY;
  return {
    what: `${ENVIRONMENTS} environments × 22 scenarios every 60 s in one monitor: share of a core, resident, p99 of the lateness of starts`,
    aim: '≤ 15 %, ≤ 160 MB, ≤ 1 s',
    figure: `${share.toFixed(1)} %, ${Math.round(after.residentMb)} MB, ${(p99 / 1000).toFixed(2)} s`,
    met: share <= 15 && after.residentMb <= 160 && p99 <= 1_000,
    note: `${lateness.length} runs in ${MINUTES} min`,
    details: {
      share: round(share),
      residentMb: round(after.residentMb),
      peakMb: round(after.peakMb),
      p50Ms: round(lateness[Math.floor(lateness.length / 2)] ?? 0),
      p99Ms: round(p99),
    },
  };
};
