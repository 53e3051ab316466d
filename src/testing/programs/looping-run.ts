import { flushCompileCache } from 'node:module';
import { type Environment, loadEnvironment } from '../../environment/index.ts';
import { runAll, scenarios } from '../../run/index.ts';
import { withUsers } from '../../safety/index.ts';

// Endless runs, one in each environment, for a test that kills them. They begin at the first message to this process. A run plays all
// scenarios that its environment allows, again and again, as `check` does. The runs begin with different scenarios.
const [seed = '', ...names] = process.argv.slice(2);
const environments = names.map((name) => loadEnvironment(name));
const all = await scenarios();
// A killed process doesn't write its compile cache. Without the cache, the next process would have to compile everything again.
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
