import { holdFacts, scenario } from '../../fixtures/index.ts';
import { factCases } from './fact-cases.ts';

for (const { title, tag, area, effect } of factCases()) {
  scenario(title, { tag }, async ({ world }) => {
    await holdFacts(world, area, effect);
  });
}
