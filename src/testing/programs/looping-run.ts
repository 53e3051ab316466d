import { flushCompileCache } from 'node:module';
import { type Environment, loadEnvironment } from '../../environment/index.ts';
import { runAll, scenarios } from '../../run/index.ts';
import { withUsers } from '../../safety/index.ts';

// Endless runs for the kill test, one in each environment: on `go` each runs every
// scenario that its environment allows as a check does, over and over, each beginning with another one.
const [seed = '', ...names] = process.argv.slice(2);
const environments = names.map((name) => loadEnvironment(name));
const all = await scenarios();
// A killed process doesn't write its compile cache, so the next one would compile everything again.
flushCompileCache();
process.once('message', () => environments.map(run));
process.send?.('ready');

async function run(environment: Environment, index: number): Promise<void> {
  const first = all[Math.floor((index * all.length) / environments.length)]?.title ?? '';
  for (let round = 0; ; round++) {
    const options = { environment, seed: `${seed}-${round}`, runId: `kill-${seed}`, first: [first] };
    await withUsers(environment, { say: () => {} }, (users) => runAll(all, { ...options, users }));
  }
}
