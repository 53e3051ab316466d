import { randomUUID } from 'node:crypto';
import type { Environment } from '../environment/index.ts';
import { runScenario } from '../run/index.ts';
import type { EnvironmentStore } from './environment-store.ts';
import { allowedIn, type Modules } from './modules.ts';

/**
 * Lists the scenarios that can run in each environment. If a file of an environment is broken, uses the environment as it was before the
 * file broke.
 */
export function scrapeTargets(store: EnvironmentStore, modules: Modules) {
  // An entry never becomes outdated: if the environment's files change, there is a new `Environment` object.
  const known = new WeakMap<Environment, ReturnType<typeof groupsOf>>();
  return async () => {
    const all = [...store.entries].flatMap(([name, { usable }]) => {
      if (!usable) return [];
      const own = known.get(usable) ?? groupsOf(name, usable, modules);
      known.set(usable, own);
      return [own];
    });
    return (await Promise.all(all)).flat();
  };
}

/**
 * The scenarios in the format of Prometheus' http_sd. If the environment lacks test data for a scenario, leaves it out, because every probe
 * would skip it.
 */
async function groupsOf(name: string, environment: Environment, { scenarios }: Modules) {
  const groups: { readonly targets: readonly string[]; readonly labels: Readonly<Record<string, string>> }[] = [];
  for (const { slug, area, effect, scenario } of allowedIn(scenarios, environment)) {
    const identity = { seed: 'targets', runId: randomUUID() };
    const { verdict } = await runScenario(scenario, { environment, ...identity, isDryRun: true });
    if (verdict === 'skipped') continue;
    const labels = { __param_module: slug, environment: name, area, scenario: scenario.title, effect };
    groups.push({ targets: [name], labels });
  }
  return groups;
}
