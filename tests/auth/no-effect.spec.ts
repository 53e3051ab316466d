import { expect, scenario } from '../../fixtures/index.ts';
import { headerCases } from './header-cases.ts';

const blocks = headerCases().filter(({ operation }) => operation.id === 'block');

for (const change of blocks) {
  scenario(
    `block with ${change.what} has no effect`,
    { tag: ['@friends', '@reversible'] },
    async ({ friends, friend, stranger, refusesHeader, defer }) => {
      defer(() => friends.unblock({ friendId: friend.id }).settles());
      await refusesHeader(change, { friendId: friend.id });

      // A block that counts comes after it: once the list shows that one, a lagging list can't hide the other.
      defer(() => friends.unblock({ friendId: stranger.id }).settles());
      await friends.block({ friendId: stranger.id }).succeeds();
      await friends
        .listBlocked()
        .eventually((list) =>
          expect(list, 'documented: the list mentions a friend just blocked').toMention(stranger.id),
        );
      const list = await friends.listBlocked().succeeds();
      expect(list, 'documented: the list mentions whom the caller blocked').toMention(stranger.id);
      expect(list, 'assumed: a refused block has no effect').not.toMention(friend.id);

      // The same block with the right headers is done and shown, so its absence was no accident.
      await friends.block({ friendId: friend.id }).isAcceptedToo();
      await friends
        .listBlocked()
        .eventually((both) => expect(both, 'documented: the list mentions a friend just blocked').toMention(friend.id));
    },
  );
}
