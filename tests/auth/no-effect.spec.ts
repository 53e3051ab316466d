import { expect, scenario } from '../../fixtures/index.ts';
import { headerCases } from './header-cases.ts';

const blocks = headerCases().filter(({ operation }) => operation.id === 'block');

for (const change of blocks) {
  scenario(
    `block with ${change.what} has no effect`,
    { tag: ['@friends', '@reversible'] },
    async ({ friends, friend, refusesHeader, listsCatchUp, defer }) => {
      // The same block with the right headers is done and shown, so its absence will be no accident.
      await friends.block({ friendId: friend.id }).succeeds();
      defer(() => friends.unblock({ friendId: friend.id }).settles());
      await friends
        .listBlocked()
        .eventually((list) => expect(list, 'documented: the list mentions a friend just blocked').toMention(friend.id));
      await friends.unblock({ friendId: friend.id }).succeeds();
      await friends
        .listBlocked()
        .eventually((list) =>
          expect(list, 'documented: the list no longer mentions a friend just unblocked').not.toMention(friend.id),
        );

      await refusesHeader(change, { friendId: friend.id });
      await listsCatchUp();
      const list = await friends.listBlocked().succeeds();
      expect(list, 'assumed: a refused block has no effect').not.toMention(friend.id);
    },
  );
}
