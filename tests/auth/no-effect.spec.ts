import { expect, scenario } from '../../fixtures/index.ts';
import { headerCases } from './header-cases.ts';

const blocks = headerCases().filter(({ operation }) => operation.id === 'block');

for (const { operation, header, spoiling, spoil, claim } of blocks) {
  scenario(
    `block with ${header} ${spoiling} blocks nobody`,
    { tag: ['@friends', '@reversible'] },
    async ({ friends, call, friend, stranger, data, takeBack }) => {
      takeBack(operation, { friendId: friend.id });
      await spoil(call('block', { friendId: friend.id }), data).isRefused(claim);

      // A block that counts comes after it: once the list shows that one, a lagging list can't hide the other.
      takeBack(operation, { friendId: stranger.id });
      await friends.block({ friendId: stranger.id }).succeeds();
      await friends
        .listBlocked()
        .eventually((list) =>
          expect(list, 'documented: the list mentions a friend just blocked').toMention(stranger.id),
        );
      const list = await friends.listBlocked().succeeds();
      expect(list, 'documented: the list mentions whom the caller blocked').toMention(stranger.id);
      expect(list, 'assumed: a refused block has no effect').not.toMention(friend.id);
    },
  );
}
