import type { Environment } from '../config/index.ts';
import { hostFailureOf, type ScenarioResult, shortestIntervalMs } from '../runner/index.ts';
import type { NamedScenario } from './modules.ts';

/**
 * The last results of scenarios that must not run as often as they are asked for, because they use up data. A result without a
 * connection used up nothing, so it isn't kept, and neither is one that the time wasn't enough for.
 */
export class LastResults {
  /** By environment as it was loaded: after a change of its files everything runs again. */
  readonly #kept = new WeakMap<Environment, Map<string, ScenarioResult>>();

  /** The result that counts instead of another run at `now`; epoch, in ms. */
  standingFor({ scenario, effect }: NamedScenario, environment: Environment, now: number): ScenarioResult | undefined {
    const last = this.#kept.get(environment)?.get(scenario.title);
    const intervalMs = shortestIntervalMs(scenario.details.tag, effect, environment);
    return last && now - last.startedAt < intervalMs ? last : undefined;
  }

  add({ scenario, effect }: NamedScenario, environment: Environment, result: ScenarioResult): void {
    if (shortestIntervalMs(scenario.details.tag, effect, environment) === 0) return;
    const kept = this.#kept.get(environment) ?? new Map<string, ScenarioResult>();
    this.#kept.set(environment, kept);
    if (hostFailureOf(result) || result.unreached) kept.delete(scenario.title);
    else kept.set(scenario.title, result);
  }
}
