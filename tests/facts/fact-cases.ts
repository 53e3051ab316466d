import { type AreaId, areas, type Effect, operation, operationIds, readProfile } from '../../src/spec/index.ts';

/** One area and one effect, whose facts are checked in one scenario. */
export interface FactCase {
  readonly title: string;
  readonly tag: string[];
  readonly area: AreaId;
  readonly effect: Effect;
}

export function factCases(): FactCase[] {
  const entries = [...operationIds.map((id) => operation(id)), readProfile];
  const found = new Map(entries.map(({ area, effect }) => [`${area} ${effect}`, { area, effect }]));
  return [...found.values()].map(({ area, effect }) => ({
    title: `what a survey found of ${areas[area].title.toLowerCase()} is still so (${effect})`,
    tag: [`@${area}`, `@${effect}`],
    area,
    effect,
  }));
}
