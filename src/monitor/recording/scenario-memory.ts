import type { KnownScenario } from '../history/scenarios.ts';
import { type ScenarioRef, scenarioKey } from '../status/flip.ts';

/** The scenarios of a history as they stand now: thousands are asked for with every page. */
export class ScenarioMemory {
  readonly #byKey = new Map<string, KnownScenario>();
  /** Those that are monitored: a map keeps each at its place. */
  readonly #monitored = new Map<string, KnownScenario>();
  readonly #ofEnvironment = new Map<string, Map<string, KnownScenario>>();

  get all(): IterableIterator<KnownScenario> {
    return this.#byKey.values();
  }

  get monitored(): readonly KnownScenario[] {
    return [...this.#monitored.values()];
  }

  monitoredIn(environment: string): readonly KnownScenario[] {
    return [...(this.#ofEnvironment.get(environment)?.values() ?? [])];
  }

  isMonitored(ref: ScenarioRef): boolean {
    return this.#monitored.has(scenarioKey(ref));
  }

  find(ref: ScenarioRef): KnownScenario | undefined {
    return this.#byKey.get(scenarioKey(ref));
  }

  get(ref: ScenarioRef): KnownScenario {
    const known = this.find(ref);
    if (!known) throw new Error(`"${ref.title}" of ${ref.environment} is not a known scenario`);
    return known;
  }

  /** Adds a scenario, or replaces what was known of it. */
  set(known: KnownScenario): void {
    this.#byKey.set(scenarioKey(known), known);
    if (this.isMonitored(known)) this.monitor(known);
  }

  /** It is monitored from now on. */
  monitor(known: KnownScenario): void {
    const key = scenarioKey(known);
    const own = this.#ofEnvironment.get(known.environment) ?? new Map<string, KnownScenario>();
    this.#ofEnvironment.set(known.environment, own.set(key, known));
    this.#monitored.set(key, known);
    this.#byKey.set(key, known);
  }
}
