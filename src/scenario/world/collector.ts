import { type SpecLine, SpecMistake, specLineOf } from '../../client/index.ts';
import type { WorldValues } from './world-values.ts';

export interface ScenarioDetails {
  /** An area (`@friends`, or `@all`) and an effect (`@reversible`). */
  readonly tag: readonly string[];
}

export type ScenarioBody = (world: WorldValues) => Promise<void>;

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

/** What Playwright's `test` can do beside declaring a test, and what a spec for both runners has for it. */
const instead: Readonly<Record<string, string>> = {
  skip: 'take a value whose absence skips the scenario, or quarantine it (environments/quarantine.json)',
  fixme: 'quarantine it (environments/quarantine.json), or take it out',
  fail: 'quarantine it (environments/quarantine.json)',
  slow: 'raise SLOW_AFTER_MS or REQUEST_TIMEOUT_MS of the environment',
  setTimeout: 'raise REQUEST_TIMEOUT_MS of the environment: the time of calls counts for no other limit',
  describe: 'one file is one story: write scenario(…) at its top level',
  beforeEach: 'write what it does in each scenario',
  afterEach: 'declare clean-up with defer(…) on the line after the change',
  beforeAll: 'write what it does in each scenario',
  afterAll: 'declare clean-up with defer(…) on the line after the change',
  step: 'leave it out: each call is a step of the report',
  use: 'put the setting into the environment (environments/*.env)',
  extend: 'use what a scenario can ask for (CONTRIBUTING.md)',
  info: 'use what a scenario can ask for (CONTRIBUTING.md)',
  expect: "import { expect } from '../../../fixtures/index.ts'",
};

function memberMistake(path: readonly string[], options?: unknown): SpecMistake {
  const call = `scenario.${path.join('.')}`;
  if (path.includes('only')) return SpecMistake.of('only', { call });
  const isRetry = typeof options === 'object' && options !== null && 'retries' in options;
  if (path.includes('configure') && isRetry) return SpecMistake.of('retry', { call: `${call}({ retries: … })` });
  return SpecMistake.of('one runner only', { call, instead: instead[path[0] ?? ''] ?? 'leave it out' });
}

/** Makes `scenario.only` and its like mistakes of the spec: they would work under one runner only, and hide scenarios there. */
export function refuseMembers<T extends object>(scenario: T): T {
  for (const name of ['only', ...Object.keys(instead)]) {
    const value = refusing([name]);
    for (const inner of ['only', 'skip', 'fixme', 'configure', 'parallel', 'serial'])
      Object.defineProperty(value, inner, { value: refusing([name, inner]) });
    Object.defineProperty(scenario, name, { value, configurable: true });
  }
  return scenario;
}

function refusing(path: readonly string[]): (options?: unknown) => never {
  return (options) => {
    throw memberMistake(path, options);
  };
}

/** Stands in a scenario for `what` is still to be written with what it was given, so that it is never green before. @throws SpecMistake */
export function unwritten(_given: unknown, what: string): never {
  throw SpecMistake.of('unwritten', { what });
}
