import type { FixtureUse, WorldBasis } from '../data/world-basis.ts';

/** Makes the value of a fixture in one scenario. @throws Skipped if the environment lacks the data for it */
type Make = (world: WorldBasis) => unknown;

export interface Fixture extends FixtureUse {
  readonly make: Make;
}

/** The fixtures that a spec can ask for, by name. */
export type FixtureTable = Readonly<Record<string, Make | Fixture>>;

/** The type of the value that a row of the table makes. */
export type GivenBy<Row extends Make | Fixture> = Awaited<ReturnType<Row extends Fixture ? Row['make'] : Row>>;

/** The combined flags of the fixtures with these names. */
export function useOf(fixtures: FixtureTable, names: readonly string[]): FixtureUse {
  return Object.assign({}, ...names.map((name) => fixtures[name]));
}
