import { scenario } from '../../fixtures/index.ts';
import { headerCases } from './header-cases.ts';

for (const { operation, header, spoiling, spoil, claim } of headerCases()) {
  const tag = [`@${operation.area}`, `@${operation.effect}`];
  scenario(
    `${operation.id} with ${header} ${spoiling} is refused`,
    { tag },
    async ({ call, sample, data, takeBack }) => {
      const args = await sample(operation.id);
      takeBack(operation, args);
      await spoil(call(operation.id, args), data).isRefused(claim);
    },
  );
}
