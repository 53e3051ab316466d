import type { EnvironmentStore } from './environment-store.ts';
import type { Modules } from './modules.ts';
import { allowedIn } from './why-not.ts';

/** A group of Prometheus' http_sd. */
export interface TargetGroup {
  readonly targets: readonly [environment: string];
  readonly labels: Readonly<Record<string, string>>;
}

/** Every scenario that may run in every environment; where a file broke, what might run before. */
export function scrapeTargets(store: EnvironmentStore, modules: Modules): TargetGroup[] {
  return store.names.flatMap((name) => {
    const environment = store.usable(name);
    if (!environment) return [];
    return allowedIn(modules.scenarios, environment).map(({ slug, area, effect, scenario }) => ({
      targets: [name] as const,
      labels: { __param_module: slug, environment: name, area, scenario: scenario.title, effect },
    }));
  });
}
