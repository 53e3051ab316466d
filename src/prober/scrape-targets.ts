import { randomUUID } from 'node:crypto';
import type { Environment } from '../environment/index.ts';
import { runScenario } from '../run/index.ts';
import type { EnvironmentStore } from './environment-store.ts';
import { allowedIn, type Modules } from './modules.ts';

/** Lists the scenarios that can run in each environment. If a file of an environment is broken, lists the scenarios that could run before. */
export function scrapeTargets(store: EnvironmentStore, modules: Modules) {
  // The cache needs no other key, because a change of its files makes a new object of an environment.
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

/** Groups for Prometheus' http_sd. A scenario whose test data the environment lacks is left out, because each probe would skip it. */
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
