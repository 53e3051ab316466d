import { flushCompileCache } from 'node:module';
import { type Environment, loadEnvironment } from '../../environment/index.ts';
import { runAll, scenarios } from '../../run/index.ts';
import { withUsers } from '../../safety/index.ts';

// Endless runs for a test that kills them, one in each environment. They begin at the first message to this process. Each plays every
// scenario that its environment allows over and over, as a check does. Each environment begins with another scenario.
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
