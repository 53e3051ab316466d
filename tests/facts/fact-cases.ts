import { areas, callable, callableIds } from '../../src/service/index.ts';

/** Returns a case for each combination of area and effect. The scenario of a case checks all facts about these operations. */
export function factCases() {
  const found = new Map(callableIds.map(callable).map(({ area, effect }) => [`${area} ${effect}`, { area, effect }]));
  return [...found.values()].map(({ area, effect }) => ({
    title: `what a survey found of ${areas[area].title.toLowerCase()} is still so (${effect})`,
    tag: [`@${area}`, `@${effect}`],
    area,
    effect,
  }));
}
