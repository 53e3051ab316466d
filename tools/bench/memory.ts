import { loadEnvironment } from '../../src/config/index.ts';
import { runScenario, scenarios } from '../../src/runner/index.ts';

/**
 * Memory growth between the first and the last round of one process, where a round runs one scenario including its
 * clean-up; prints bytes in use after garbage collection. Run with --expose-gc, in a separate process.
 */
const [first = 1_000, last = 20_000] = process.argv.slice(2).map(Number);
const environment = loadEnvironment('bench');
const scenario = (await scenarios()).find(({ title }) => title === 'evaluate a flag with default');
if (!scenario || !globalThis.gc) throw new Error('there is no such scenario, or --expose-gc is missing');
const { gc } = globalThis;

function inUse(): number {
  gc();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

let atFirst = 0;
let residentAtFirst = 0;
for (let round = 1; round <= last; round++) {
  const { verdict, reason } = await runScenario(scenario, { environment, seed: `${round}`, runId: 'bench' });
  if (verdict !== 'passed') throw new Error(`round ${round}: ${verdict}, ${reason}`);
  if (round !== first) continue;
  atFirst = inUse();
  residentAtFirst = process.memoryUsage.rss();
}
process.stdout.write(
  `${JSON.stringify({ atFirst, atLast: inUse(), residentAtFirst, resident: process.memoryUsage.rss() })}\n`,
);
process.exit();
