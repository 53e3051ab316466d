import type { Scenario } from '../runner/index.ts';
import { readTags, type Tagged } from '../scenario/index.ts';
import { areaIds } from '../spec/index.ts';

/** A scenario with the name that `module=` has for it. */
export interface NamedScenario extends Tagged {
  readonly slug: string;
  readonly scenario: Scenario;
}

export const ALL = 'all';

/** Everything that `module=` may name: `all`, an area, or one scenario. */
export class Modules {
  readonly scenarios: readonly NamedScenario[];

  constructor(scenarios: readonly Scenario[]) {
    const taken = new Set<string>([ALL, ...areaIds]);
    this.scenarios = scenarios.map((scenario) => {
      const slug = freeSlug(slugOf(scenario.title), taken);
      taken.add(slug);
      return { slug, scenario, ...readTags(scenario.title, scenario.details.tag) };
    });
  }

  /** The areas that have scenarios. */
  get areas(): string[] {
    const there = new Set<string>(this.scenarios.map(({ area }) => area));
    return areaIds.filter((area) => there.has(area));
  }

  get names(): string[] {
    return [ALL, ...this.areas, ...this.scenarios.map(({ slug }) => slug)];
  }

  /** The scenarios of a module, or the one with this title, as the label `scenario` has it; `undefined` where there is no such module. */
  find(name: string): readonly NamedScenario[] | undefined {
    if (name === ALL) return this.scenarios;
    if (this.areas.includes(name)) return this.scenarios.filter(({ area }) => area === name);
    const all = this.scenarios;
    const one = all.find(({ slug }) => slug === name) ?? all.find(({ scenario: { title } }) => title === name);
    return one && [one];
  }
}

/** `block, then list, then unblock` is `block-then-list-then-unblock`. */
export function slugOf(title: string): string {
  const plain = title.normalize('NFKD').toLowerCase();
  return plain.replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '') || 'scenario';
}

function freeSlug(slug: string, taken: ReadonlySet<string>): string {
  for (let count = 1; ; count++) {
    const candidate = count === 1 ? slug : `${slug}-${count}`;
    if (!taken.has(candidate)) return candidate;
  }
}
