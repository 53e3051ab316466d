import { expect, scenario } from '../../fixtures/index.ts';

scenario('block, then list, then unblock', { tag: ['@friends', '@reversible'] }, async ({ friends, friend, defer }) => {
  await friends.block({ friendId: friend.id }).succeeds();
  defer(() => friends.unblock({ friendId: friend.id }).settles());
  await friends
    .listBlocked()
    .eventually((list) => expect(list, 'documented: the list mentions a friend just blocked').toMention(friend.id));

  await friends.unblock({ friendId: friend.id }).succeeds();
  await friends
    .listBlocked()
    .eventually((list) =>
      expect(list, 'documented: the list must no longer mention a friend just unblocked').not.toMention(friend.id),
    );
});

scenario('block and unblock, twice', { tag: ['@friends', '@reversible'] }, async ({ friends, friend, defer }) => {
  await friends.block({ friendId: friend.id }).succeeds();
  defer(() => friends.unblock({ friendId: friend.id }).settles());
  await friends.unblock({ friendId: friend.id }).succeeds();

  await friends.block({ friendId: friend.id }).succeeds('documented: a user can be blocked, before or not');
  // The specification doesn't say whether a second block is accepted. Either way the friend stays blocked, and one unblock is enough.
  await friends.block({ friendId: friend.id }).settles();
  await friends
    .listBlocked()
    .eventually((list) =>
      expect(list, 'documented: the list mentions a friend who was blocked again').toMention(friend.id),
    );
  await friends.unblock({ friendId: friend.id }).succeeds('documented: a blocked user can be unblocked');
  await friends
    .listBlocked()
    .eventually((list) =>
      expect(list, 'documented: the list must no longer mention a friend unblocked again').not.toMention(friend.id),
    );
});
