import type { WorldValues } from './world-values.ts';

/** What a spec says of a scenario beside its body. */
export interface ScenarioDetails {
  /** An area (`@friends`, or `@all`) and an effect (`@reversible`). */
  readonly tag: readonly string[];
}

export type ScenarioBody = (world: WorldValues) => Promise<void>;

/** A scenario as a spec file declares it. */
export interface Declared {
  readonly title: string;
  readonly details: ScenarioDetails;
  readonly body: ScenarioBody;
}

let collector: ((declared: Declared) => void) | undefined;

/** From now on, spec files that are imported declare their scenarios to `collect` instead of to Playwright Test. */
export function collectScenarios(collect: (declared: Declared) => void): void {
  collector = collect;
}

/** What `scenario` is under the resident host; `undefined` under Playwright Test. */
export function collectingScenario():
  | ((title: string, details: ScenarioDetails, body: ScenarioBody) => void)
  | undefined {
  // The collector of the moment: `scenario` is made once, but every folder and file has a collector of its own.
  return collector && ((title, details, body) => collector?.({ title, details, body }));
}
