import { didYouMean, type Environment } from '../environment/index.ts';
import type { Scenario } from '../run/index.ts';
import { readTags, type Tagged, whySkipped } from '../scenario/index.ts';
import { slugOf } from '../server/index.ts';
import { type AreaId, areaIds } from '../service/index.ts';
import type { Ready } from './environment-store.ts';

/** A scenario. The query parameter `module` names it by its `slug`. */
export interface NamedScenario extends Tagged {
  readonly slug: string;
  readonly scenario: Scenario;
}

export const ALL = 'all';

/** The possible values of the query parameter `module`: `all`, the areas that have scenarios, and the scenarios themselves. */
export class Modules {
  readonly scenarios: readonly NamedScenario[];
  readonly #byName: ReadonlyMap<string, readonly NamedScenario[]>;

  constructor(scenarios: readonly Scenario[]) {
    const taken = new Set<string>([ALL, ...areaIds]);
    this.scenarios = scenarios.map((scenario) => {
      const plain = slugOf(scenario.title);
      let slug = plain;
      for (let count = 2; taken.has(slug); count++) slug = `${plain}-${count}`;
      taken.add(slug);
      return { slug, scenario, ...readTags(scenario.title, scenario.details.tag) };
    });
    const byArea = areaIds.map((id) => [id, this.scenarios.filter(({ area }) => area === id)] as const);
    this.#byName = new Map([
      [ALL, this.scenarios],
      ...byArea.filter(([, inArea]) => inArea.length > 0),
      ...this.scenarios.map((one) => [one.slug, [one]] as const),
    ]);
  }

  get names(): string[] {
    return [...this.#byName.keys()];
  }

  /**
   * The scenarios of a module; `undefined` if there is no such module. `name` may also be the full title of a scenario, because the label
   * `scenario` shows the title.
   */
  find(name: string): readonly NamedScenario[] | undefined {
    const titled = this.scenarios.filter(({ scenario }) => scenario.title === name);
    return this.#byName.get(name) ?? (titled.length > 0 ? titled : undefined);
  }
}

export interface Refusal {
  readonly status: 400 | 403 | 500 | 503;
  /** The reason, in one or more lines. */
  readonly reason: string;
}

/** Maximum length of a name in a message, in characters; a longer name is cut. */
const LONGEST_NAME = 100;

/** The refusal of an unknown target or module; it lists the known ones. */
export function unknown(what: 'target' | 'module', given: string, known: readonly string[]): Refusal {
  const name = given.slice(0, LONGEST_NAME);
  const problem = name === '' ? `${what} is missing` : `No ${what} ${JSON.stringify(name)}${didYouMean(name, known)}`;
  return { status: 400, reason: `${problem}. ${what === 'target' ? 'Targets' : 'Modules'}: ${known.join(', ')}.` };
}

export function areasOf(scenarios: readonly NamedScenario[]): readonly AreaId[] {
  return scenarios.flatMap(({ area }) => (area === 'all' ? areaIds : [area]));
}

export function allowedIn(scenarios: readonly NamedScenario[], environment: Environment): readonly NamedScenario[] {
  return scenarios.filter(({ scenario: { title, details } }) => !whySkipped(title, details.tag, environment));
}

/** Why an environment allows none of `scenarios`, with the key of the environment that would allow them. */
export function whyNoneAllowed(scenarios: readonly NamedScenario[], { environment, restriction }: Ready): string {
  const needed = [...new Set(scenarios.map(({ effect }) => effect))].join(' or ');
  if (restriction) return `Nothing was sent: this module is ${needed}. ${restriction}`;
  const { name, allowedEffects } = environment;
  return `Nothing was sent: this module is ${needed}, and ${name} has ALLOWED_EFFECTS=${[...allowedEffects].join(',')}.`;
}
