import { watch } from '../monitor-process.ts';
import { limitRow, type Measure, round } from '../row.ts';

/** Every 5 s instead of every minute: as many rounds in three minutes as in 36. */
const MINUTES = Number(process.env.BENCH_MINUTES ?? 3);

export const monitorRemote: Measure = async (bench) => {
  const { before, after } = await watch(bench, ['bench'], { every: '5s', warmUpMs: 15_000, minutes: MINUTES });
  return limitRow('monitor of a remote environment, resident', 110, after.residentMb, 'MB', {
    note: `after ${MINUTES} min at a run each 5 s, which are as many runs as in ${MINUTES * 12} min at one a minute`,
    details: { beforeMb: round(before.residentMb), afterMb: round(after.residentMb), peakMb: round(after.peakMb) },
  });
};
