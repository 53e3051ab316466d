import { type SpecLine, specLineOf } from '../../client/index.ts';
import { refuseMembers } from '../specs/runner-members.ts';
import type { WorldValues } from './world-values.ts';

/** The details of a scenario in a spec, without its body. */
export interface ScenarioDetails {
  /** An area (`@friends`, or `@all`) and an effect (`@reversible`). */
  readonly tag: readonly string[];
}

export type ScenarioBody = (world: WorldValues) => Promise<void>;

/** Declares a scenario: what a spec can do with `scenario` in both runners. */
export type DeclareScenario = (title: string, details: ScenarioDetails, body: ScenarioBody) => void;

/** A scenario as declared in a spec file, whatever that passed. */
export interface Declared {
  readonly title: string;
  readonly details: ScenarioDetails;
  readonly body: ScenarioBody;
  /** Where it is declared; absent where no spec file does. */
  readonly line?: SpecLine;
}

let collector: ((declared: Declared) => void) | undefined;

/** From now on, imported spec files declare their scenarios to `collect` instead of Playwright Test. */
export function collectScenarios(collect: (declared: Declared) => void): void {
  collector = collect;
}

/** `scenario` under the in-process runner; `undefined` under Playwright Test. */
export function collectingScenario(): DeclareScenario | undefined {
  if (!collector) return undefined;
  const declare: DeclareScenario = (title, details, body) => {
    const site: { stack?: string } = {};
    Error.captureStackTrace(site, declare);
    const line = specLineOf(site.stack);
    // The current collector: `scenario` is created once, but every folder and file has a separate collector.
    collector?.({ title, details, body, ...(line ? { line } : {}) });
  };
  return refuseMembers(declare);
}
