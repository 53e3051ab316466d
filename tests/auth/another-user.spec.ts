import { scenario } from '../../fixtures/index.ts';
import { anotherUserCases } from './header-cases.ts';

for (const { operation, tag } of anotherUserCases()) {
  scenario(
    `${operation.id} with the mm-user-id of another user is refused`,
    { tag },
    async ({ call, sample, friend, deferUndo }) => {
      const args = await sample(operation.id);
      deferUndo(operation, args);
      await call(operation.id, args)
        .withHeader('mm-user-id', friend.id)
        .isRefused('assumed: a token acts for its own user only');
    },
  );
}
