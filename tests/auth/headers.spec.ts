import { scenario } from '../../fixtures/index.ts';
import { anotherUserCases, headerCases } from './header-cases.ts';

for (const change of [...anotherUserCases(), ...headerCases()]) {
  const { operation, what } = change;
  const tag = [`@${operation.area}`, `@${operation.effect}`];
  scenario(`${operation.id} with ${what} is refused`, { tag }, async ({ checksHeader }) => {
    await checksHeader(change);
  });
}
