import { type KnownScenario, scenarioKey } from '../history/scenarios.ts';
import type { ScenarioRef } from '../status/flip.ts';

/** Where a monitored scenario stands in the lists. */
interface Place {
  readonly all: number;
  readonly own: number;
}

/** The scenarios of a history as they stand now: thousands are asked for with every page. */
export class ScenarioMemory {
  readonly #byKey = new Map<string, KnownScenario>();
  readonly #monitored: KnownScenario[] = [];
  readonly #ofEnvironment = new Map<string, KnownScenario[]>();
  readonly #places = new Map<string, Place>();

  get all(): IterableIterator<KnownScenario> {
    return this.#byKey.values();
  }

  /** Those that are monitored, each at the same place as long as the process lasts. */
  get monitored(): readonly KnownScenario[] {
    return this.#monitored;
  }

  monitoredIn(environment: string): readonly KnownScenario[] {
    return this.#ofEnvironment.get(environment) ?? [];
  }

  isMonitored(ref: ScenarioRef): boolean {
    return this.#places.has(scenarioKey(ref));
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
    const key = scenarioKey(known);
    this.#byKey.set(key, known);
    const place = this.#places.get(key);
    const own = this.#ofEnvironment.get(known.environment);
    if (!place || !own) return;
    this.#monitored[place.all] = known;
    own[place.own] = known;
  }

  /** It is monitored from now on. */
  monitor(known: KnownScenario): void {
    const key = scenarioKey(known);
    if (!this.#places.has(key)) {
      const own = this.#ofEnvironment.get(known.environment) ?? [];
      this.#ofEnvironment.set(known.environment, own);
      this.#places.set(key, { all: this.#monitored.length, own: own.length });
    }
    this.set(known);
  }
}
