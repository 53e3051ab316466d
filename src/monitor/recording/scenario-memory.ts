import type { KnownScenario } from '../history/scenarios.ts';
import type { ScenarioRef } from '../status/flip.ts';
import { nameOf } from '../status/incident.ts';

/** The scenarios of a history as they stand now: thousands are asked for with every page. */
export class ScenarioMemory {
  readonly #byName = new Map<string, KnownScenario>();
  /** Those that are monitored: a map keeps each at its place. */
  readonly #monitored = new Map<string, KnownScenario>();
  readonly #ofEnvironment = new Map<string, Map<string, KnownScenario>>();

  get all(): IterableIterator<KnownScenario> {
    return this.#byName.values();
  }

  get monitored(): readonly KnownScenario[] {
    return [...this.#monitored.values()];
  }

  monitoredIn(environment: string): readonly KnownScenario[] {
    return [...(this.#ofEnvironment.get(environment)?.values() ?? [])];
  }

  isMonitored(ref: ScenarioRef): boolean {
    return this.#monitored.has(nameOf(ref));
  }

  find(ref: ScenarioRef): KnownScenario | undefined {
    return this.#byName.get(nameOf(ref));
  }

  get(ref: ScenarioRef): KnownScenario {
    const known = this.find(ref);
    if (!known) throw new Error(`"${ref.title}" of ${ref.environment} is not a known scenario`);
    return known;
  }

  /** Adds a scenario, or replaces what was known of it. */
  set(known: KnownScenario): void {
    this.#byName.set(nameOf(known), known);
    if (this.isMonitored(known)) this.monitor(known);
  }

  /** It is monitored from now on. */
  monitor(known: KnownScenario): void {
    const name = nameOf(known);
    const own = this.#ofEnvironment.get(known.environment) ?? new Map<string, KnownScenario>();
    this.#ofEnvironment.set(known.environment, own.set(name, known));
    this.#monitored.set(name, known);
    this.#byName.set(name, known);
  }
}
