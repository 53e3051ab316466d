import { type SpecLine, SpecMistake, specLineOf } from '../../verdict/index.ts';
import type { FixtureTable } from './fixture-table.ts';

export interface ScenarioDetails {
  /** An area (`@friends`, or `@all`) and an effect (`@reversible`). */
  readonly tag: readonly string[];
}

/** A scenario's body. It gets those values of `Given` that its parameter names. */
export type ScenarioBody<Given> = (given: Given) => Promise<void>;

export type DeclareScenario<Given> = (title: string, details: ScenarioDetails, body: ScenarioBody<Given>) => void;

/** A scenario as a spec file declared it, before it is checked for mistakes. */
export interface Declared {
  readonly title: string;
  readonly details: ScenarioDetails;
  readonly body: ScenarioBody<never>;
  /** The fixtures that its body can ask for by name. */
  readonly fixtures: FixtureTable;
  /** The line of the declaration; absent if it isn't in a spec file. */
  readonly line?: SpecLine;
}

let collector: ((declared: Declared) => void) | undefined;

/** From now on, imported spec files declare their scenarios to `collect` instead of Playwright Test. */
export function collectScenarios(collect: (declared: Declared) => void): void {
  collector = collect;
}

/** `scenario` under the in-process runner, with these fixtures; `undefined` under Playwright Test. */
export function collectingScenario<Given>(fixtures: FixtureTable): DeclareScenario<Given> | undefined {
  if (!collector) return undefined;
  const declare: DeclareScenario<Given> = (title, details, body) => {
    const site: { stack?: string } = {};
    Error.captureStackTrace(site, declare);
    const line = specLineOf(site.stack);
    // Reads the current collector on each call: `scenario` is created once, but every folder and file has a separate collector.
    collector?.({ title, details, body, fixtures, ...(line ? { line } : {}) });
  };
  return refuseMembers(declare);
}

/** Members of Playwright's `test` that `scenario` doesn't have. */
const members =
  'only skip fixme fail slow setTimeout describe beforeEach afterEach beforeAll afterAll step use extend info expect';

/** Makes members such as `scenario.only` throw: only Playwright's runner would have them, and some of them would hide scenarios there. */
export function refuseMembers<T extends object>(scenario: T): T {
  for (const name of members.split(' ')) {
    const value = refusing(name);
    for (const inner of ['only', 'skip', 'fixme', 'configure', 'parallel', 'serial'])
      Object.defineProperty(value, inner, { value: refusing(`${name}.${inner}`) });
    Object.defineProperty(scenario, name, { value, configurable: true });
  }
  return scenario;
}

function refusing(path: string): () => never {
  return () => {
    const problem = `\`scenario.${path}\` exists only under Playwright Test, and a spec runs whole in both runners`;
    throw new SpecMistake(
      `${problem}; write only scenario(…): clean up with defer(…), skip with a fixture that is absent or with environments/quarantine.json, run one with --scenario TITLE`,
    );
  };
}

/**
 * A placeholder for the part of a scenario that is still to be written. `what` describes that part, and `_given` holds the values that it needs.
 * Throws, so that the unfinished scenario can't pass.
 * @throws SpecMistake
 */
export function unwritten(_given: unknown, what: string): never {
  throw new SpecMistake(`not written yet: ${what}; write it, and delete this line`);
}
