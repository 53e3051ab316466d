import { type Service, whileServing } from '../../reference-service/index.ts';
import { verdicts } from '../client/index.ts';
import { allScenarios } from '../runner/index.ts';
import { memoryFolders, withMemory } from '../scenario/index.ts';
import { drillEnvironment } from './drill-environment.ts';
import { playAlone } from './play.ts';

/** Does `work` with a reference service on free ports. What runs learn of it ends with it: the next one may have its ports. */
export function onReference<T>(work: (service: Service) => Promise<T>): Promise<T> {
  const memory = { ...memoryFolders(), passing: new Map() };
  return withMemory(memory, () => whileServing({ port: 0, quiet: true }, work));
}

/**
 * Runs scenarios again on the reference service without faults, which follows the specification; returns the titles of
 * those that fail there too: they point to a bug in the suite.
 */
export async function redOnReference(titles: readonly string[], signal?: AbortSignal): Promise<string[]> {
  if (titles.length === 0) return [];
  const wanted = new Set(titles);
  return onReference(async (service) => {
    const environment = drillEnvironment(service, { consistencyTimeoutMs: 2_000 });
    const red: string[] = [];
    for (const scenario of await allScenarios()) {
      if (!wanted.has(scenario.title) || signal?.aborted) continue;
      const { verdict } = await playAlone(scenario, { environment, seed: 'reference' });
      if (verdicts[verdict].ran && verdicts[verdict].exitCode !== 0) red.push(scenario.title);
    }
    return red;
  });
}
