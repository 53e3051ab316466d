import { scenario } from '../../fixtures/index.ts';
import { headerCases } from './header-cases.ts';

for (const { operation, header, mistake, change, claim } of headerCases()) {
  const tag = [`@${operation.area}`, `@${operation.effect}`];
  scenario(
    `${operation.id} with ${header} ${mistake} is refused`,
    { tag },
    async ({ call, sample, data, deferUndo }) => {
      const args = await sample(operation.id);
      deferUndo(operation, args);
      await change(call(operation.id, args), data).isRefused(claim);
    },
  );
}
