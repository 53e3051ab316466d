import { expect, scenario } from '../../fixtures/index.ts';
import { headerCases } from './header-cases.ts';

const blocks = headerCases().filter(({ operation }) => operation.id === 'block');

for (const { operation, header, mistake, change, claim } of blocks) {
  scenario(
    `block with ${header} ${mistake} has no effect`,
    { tag: ['@friends', '@reversible'] },
    async ({ friends, call, friend, stranger, data, deferUndo }) => {
      deferUndo(operation, { friendId: friend.id });
      await change(call('block', { friendId: friend.id }), data).isRefused(claim);

      // A valid block follows: once the list shows it, a lagging list can't hide the other.
      deferUndo(operation, { friendId: stranger.id });
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
