import type { Suite, TestCase } from '@playwright/test/reporter';
import { lineText, SpecMistake } from '../client/index.ts';

/** A mistake for each test with the title of an earlier one in another file: reports and histories take them for one. */
export function namesakesIn(suite: Pick<Suite, 'allTests'>): SpecMistake[] {
  const first = new Map<string, TestCase>();
  const found = new Map<string, SpecMistake>();
  for (const test of suite.allTests()) {
    const [, environment, , ...titles] = test.titlePath();
    const title = titles.join(' › ');
    const key = `${environment} ${title}`;
    const earlier = first.get(key);
    if (!earlier) first.set(key, test);
    else if (earlier.location.file !== test.location.file) {
      const other = lineText(earlier.location);
      found.set(lineText(test.location), SpecMistake.of('same title', { title, other }, test.location));
    }
  }
  return [...found.values()];
}
