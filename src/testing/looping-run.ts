import { flushCompileCache } from 'node:module';
import { loadEnvironment } from '../config/index.ts';
import { runScenario, scenarios } from '../runner/index.ts';
import { undoAndReportLeftovers } from '../scenario/index.ts';

// A run that never ends, to be killed: on `go` it undoes what is left, as every run does, and then runs every scenario that
// the environment allows, over and over.
const [name = '', seed = ''] = process.argv.slice(2);
const environment = loadEnvironment(name);
const all = await scenarios();
// Who is killed writes no cache by itself, and the next one would compile everything anew.
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
