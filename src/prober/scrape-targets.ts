import { randomUUID } from 'node:crypto';
import type { Environment } from '../config/index.ts';
import { runScenario } from '../runner/index.ts';
import type { EnvironmentStore } from './environment-store.ts';
import type { Modules } from './modules.ts';
import { allowedIn } from './refusal.ts';

/** A group of Prometheus' http_sd. */
export interface TargetGroup {
  readonly targets: readonly [environment: string];
  readonly labels: Readonly<Record<string, string>>;
}

/** Lists every scenario that can run in every environment; where a file broke, what could run before. */
export function scrapeTargets(store: EnvironmentStore, modules: Modules): () => Promise<TargetGroup[]> {
  // An environment is another object when its files have changed.
  const known = new WeakMap<Environment, Promise<TargetGroup[]>>();
  return async () => {
    const groups: TargetGroup[][] = [];
    for (const name of store.names) {
      const environment = store.usable(name);
      if (!environment) continue;
      const own = known.get(environment) ?? groupsOf(name, environment, modules);
      known.set(environment, own);
      groups.push(await own);
    }
    return groups.flat();
  };
}

/** Without what the environment never has the data for: it would be skipped each time, and nobody could do anything about it. */
async function groupsOf(name: string, environment: Environment, { scenarios }: Modules): Promise<TargetGroup[]> {
  const groups: TargetGroup[] = [];
  for (const { slug, area, effect, scenario } of allowedIn(scenarios, environment)) {
    const identity = { seed: 'targets', runId: randomUUID() };
    const { verdict } = await runScenario(scenario, { environment, ...identity, isDryRun: true });
    if (verdict === 'skipped') continue;
    const labels = { __param_module: slug, environment: name, area, scenario: scenario.title, effect };
    groups.push({ targets: [name], labels });
  }
  return groups;
}
