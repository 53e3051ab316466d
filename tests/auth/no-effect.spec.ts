import { expect, scenario } from '../../fixtures/index.ts';
import { headerCases } from './header-cases.ts';

const blocks = headerCases().filter(({ operation }) => operation.id === 'block');

for (const change of blocks) {
  scenario(
    `block with ${change.what} has no effect`,
    { tag: ['@friends', '@reversible'] },
    async ({ friends, friend, refusesHeader, isSeenWhileBlocked, listsCatchUp }) => {
      await isSeenWhileBlocked(friends, friend);
      await refusesHeader(change, { friendId: friend.id });
      await listsCatchUp();
      await friends
        .listBlocked()
        .shows((list) => expect(list, 'assumed: a refused block has no effect').not.toMention(friend.id));
    },
  );
}
