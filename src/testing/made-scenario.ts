import type { ScenarioBody } from '../../fixtures/index.ts';
import type { Scenario } from '../run/index.ts';
import { collectScenarios } from '../scenario/index.ts';

// Sets a collector of scenarios, because without a collector `fixtures/index.ts` would load Playwright.
collectScenarios(() => {});
export const { fixtures } = await import('../../fixtures/index.ts');

/** A scenario for a test, as a spec declares it. Its tags are `@friends` and `@read` unless the test names others. */
export function scenarioOf(title: string, body: ScenarioBody, ...tags: string[]): Scenario {
  const tag = tags.length > 0 ? tags : ['@friends', '@read'];
  return { title, details: { tag }, body, fixtures, file: import.meta.filename };
}
