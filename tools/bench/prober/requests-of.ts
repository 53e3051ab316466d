import { loadEnvironment } from '../../../src/config/index.ts';
import { Modules } from '../../../src/prober/modules.ts';
import { runAll, scenarios } from '../../../src/runner/index.ts';

/** How many requests a module makes in an environment. */
export async function requestsOf(environment: string, module: string): Promise<number> {
  const found = new Modules(await scenarios()).find(module) ?? [];
  const results = await runAll(
    found.map(({ scenario }) => scenario),
    { environment: loadEnvironment(environment), seed: 'bench', runId: 'bench' },
  );
  return results.reduce((sum, { exchanges }) => sum + exchanges.length, 0);
}
