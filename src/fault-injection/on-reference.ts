import { randomUUID } from 'node:crypto';
import { whileServing } from '../../reference-service/index.ts';
import { verdicts } from '../client/index.ts';
import { allScenarios, runScenario } from '../runner/index.ts';
import { drillEnvironment } from './drill-environment.ts';

/**
 * Runs scenarios again on the reference service without faults, which follows the specification; returns the titles of
 * those that fail there too: they point to a bug in the suite.
 */
export async function redOnReference(titles: readonly string[], signal?: AbortSignal): Promise<string[]> {
  if (titles.length === 0) return [];
  const wanted = new Set(titles);
  return whileServing({ port: 0, quiet: true }, async (service) => {
    const environment = drillEnvironment(service, { consistencyTimeoutMs: 2_000 });
    const red: string[] = [];
    for (const scenario of await allScenarios()) {
      if (!wanted.has(scenario.title) || signal?.aborted) continue;
      const { verdict } = await runScenario(scenario, { environment, seed: 'reference', runId: randomUUID() });
      if (verdicts[verdict].ran && verdicts[verdict].exitCode !== 0) red.push(scenario.title);
    }
    return red;
  });
}
