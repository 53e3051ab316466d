import type { KnownScenario } from '../history/scenarios.ts';
import { type ScenarioRef, scenarioKey } from '../status/flip.ts';

/** The scenarios of a history as they stand now: thousands are asked for with every page. */
export class ScenarioMemory {
  readonly #byKey = new Map<string, KnownScenario>();
  /** The keys of those that are monitored: a set keeps each at its place. */
  readonly #monitored = new Set<string>();

  get all(): IterableIterator<KnownScenario> {
    return this.#byKey.values();
  }

  get monitored(): readonly KnownScenario[] {
    return [...this.#monitored].map((key) => this.#byKey.get(key) as KnownScenario);
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

  set(known: KnownScenario): void {
    this.#byKey.set(scenarioKey(known), known);
  }

  monitor(known: KnownScenario): void {
    this.set(known);
    this.#monitored.add(scenarioKey(known));
  }
}
