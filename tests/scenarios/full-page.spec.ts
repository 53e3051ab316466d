import { expect, scenario } from '../../fixtures/index.ts';

scenario(
  'a full page leaves nobody out',
  { tag: ['@friends', '@reversible'] },
  async ({ friends, friend, fillsAPage, defer }) => {
    await friends.block({ friendId: friend.id }).succeeds();
    defer(() => friends.unblock({ friendId: friend.id }).settles());
    await friends
      .listBlocked()
      .eventually((list) => expect(list, 'documented: the list mentions a friend just blocked').toMention(friend.id));
    await fillsAPage(friend);
  },
);
