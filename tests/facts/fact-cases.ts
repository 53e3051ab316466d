import { areas, operation, operationIds, readProfile } from '../../src/service/index.ts';

/** Each area and effect that there is: its facts are checked in one scenario. */
export function factCases() {
  const entries = [...operationIds.map((id) => operation(id)), readProfile];
  const found = new Map(entries.map(({ area, effect }) => [`${area} ${effect}`, { area, effect }]));
  return [...found.values()].map(({ area, effect }) => ({
    title: `what a survey found of ${areas[area].title.toLowerCase()} is still so (${effect})`,
    tag: [`@${area}`, `@${effect}`],
    area,
    effect,
  }));
}
