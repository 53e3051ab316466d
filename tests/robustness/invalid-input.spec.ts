import { scenario } from '../../fixtures/index.ts';
import { robustnessCases } from './robustness-cases.ts';

for (const { operation, mistake, effect, tries } of robustnessCases()) {
  const tag = [`@${operation.area}`, `@${effect}`];
  scenario(`${operation.id} handles ${mistake}`, { tag }, async ({ sendInvalid, sample, within }) => {
    const valid = await sample(operation.id);
    for (const input of within(tries(valid))) await sendInvalid(operation.id, input);
  });
}
