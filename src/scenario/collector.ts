import type { WorldValues } from './world-values.ts';

/** The details of a scenario in a spec, without its body. */
export interface ScenarioDetails {
  /** An area (`@friends`, or `@all`) and an effect (`@reversible`). */
  readonly tag: readonly string[];
}

export type ScenarioBody = (world: WorldValues) => Promise<void>;

/** A scenario as declared in a spec file. */
export interface Declared {
  readonly title: string;
  readonly details: ScenarioDetails;
  readonly body: ScenarioBody;
}

let collector: ((declared: Declared) => void) | undefined;

/** From now on, imported spec files declare their scenarios to `collect` instead of Playwright Test. */
export function collectScenarios(collect: (declared: Declared) => void): void {
  collector = collect;
}

/** `scenario` under the in-process runner; `undefined` under Playwright Test. */
export function collectingScenario():
  | ((title: string, details: ScenarioDetails, body: ScenarioBody) => void)
  | undefined {
  // The current collector: `scenario` is created once, but every folder and file has a separate collector.
  return collector && ((title, details, body) => collector?.({ title, details, body }));
}
