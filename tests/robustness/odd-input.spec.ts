import { scenario } from '../../fixtures/index.ts';
import { robustnessCases } from './robustness-cases.ts';

for (const { operation, spoiling, effect, tries } of robustnessCases()) {
  const tag = [`@${operation.area}`, `@${effect}`];
  scenario(`${operation.id} copes with ${spoiling}`, { tag }, async ({ attempt, sample, within }) => {
    const valid = await sample(operation.id);
    for (const odd of within(tries(valid))) await attempt(operation.id, odd);
  });
}
