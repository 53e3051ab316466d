import type { FixtureUse, WorldBasis } from '../data/world-basis.ts';

/** What a fixture gives in one scenario. @throws Skipped where the environment lacks the data for it */
type Make = (world: WorldBasis) => unknown;

export interface Fixture extends FixtureUse {
  readonly make: Make;
}

/** What a spec can ask for by name. */
export type FixtureTable = Readonly<Record<string, Make | Fixture>>;

/** What a row gives. */
export type GivenBy<Row extends Make | Fixture> = Awaited<ReturnType<Row extends Fixture ? Row['make'] : Row>>;

/** What the fixtures of some names say of their scenario. */
export function useOf(fixtures: FixtureTable, names: readonly string[]): FixtureUse {
  return Object.assign({}, ...names.map((name) => fixtures[name]));
}
