import { flushCompileCache } from 'node:module';
import { type Environment, loadEnvironment } from '../../environment/index.ts';
import { runScenario, scenarios } from '../../run/index.ts';

// Endless runs for the kill test, one in each environment: on `go` each runs every
// scenario that its environment allows, over and over, each beginning at another one.
const [seed = '', ...names] = process.argv.slice(2);
const environments = names.map((name) => loadEnvironment(name));
const all = await scenarios();
// A killed process doesn't write its compile cache by itself, so the next one would compile everything again.
flushCompileCache();
process.once('message', () => environments.map(run));
process.send?.('ready');

async function run(environment: Environment, index: number): Promise<void> {
  const first = Math.floor((index * all.length) / environments.length);
  for (let round = 0; ; round++) {
    for (const scenario of [...all.slice(first), ...all.slice(0, first)])
      await runScenario(scenario, { environment, seed: `${seed}-${round}`, runId: `kill-${seed}` });
  }
}
