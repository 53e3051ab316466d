import { flushCompileCache } from 'node:module';
import { loadEnvironment } from '../../config/index.ts';
import { runScenario, scenarios } from '../../runner/index.ts';
import { undoAndReportLeftovers } from '../../scenario/index.ts';

// An endless run for the kill test: on `go` it undoes leftovers, as every run does, and then runs every scenario that
// the environment allows, over and over.
const [name = '', seed = ''] = process.argv.slice(2);
const environment = loadEnvironment(name);
const all = await scenarios();
// A killed process doesn't write its compile cache by itself, so the next one would compile everything again.
flushCompileCache();
process.once('message', () => void run());
process.send?.('ready');

async function run(): Promise<void> {
  await undoAndReportLeftovers(environment);
  for (let round = 0; ; round++) {
    for (const scenario of all)
      await runScenario(scenario, { environment, seed: `${seed}-${round}`, runId: `kill-${seed}` });
  }
}
