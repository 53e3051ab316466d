import type { Exchange } from '../../client/index.ts';
import type { ExperimentRunner } from './experiment-runner.ts';

const FIRST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 500;

/**
 * Reads until `holds`, for CONSISTENCY_TIMEOUT_MS at most. `reads` is 1 if it held at once; `waitedMs` is the time
 * from the start to the response in which it held.
 */
export async function waitUntil(
  runner: ExperimentRunner,
  read: () => Promise<Exchange>,
  holds: (exchange: Exchange) => boolean,
): Promise<{ last: Exchange; held: boolean; reads: number; waitedMs: number }> {
  const start = performance.now();
  for (let reads = 1, pause = FIRST_PAUSE_MS; ; reads++, pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
    const last = await read();
    const waitedMs = performance.now() - start;
    const held = holds(last);
    if (held || waitedMs + pause > runner.environment.consistencyTimeoutMs) return { last, held, reads, waitedMs };
    await runner.budget.pause(pause);
  }
}
