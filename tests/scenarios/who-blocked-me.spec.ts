import { expect, scenario } from '../../fixtures/index.ts';

scenario(
  'who blocked me',
  { tag: ['@friends', '@reversible'] },
  async ({ friends, asFriend, caller, friend, stranger, defer }) => {
    await friends.block({ friendId: friend.id }).succeeds();
    defer(() => friends.unblock({ friendId: friend.id }).settles());
    await asFriend.friends
      .listBlockers()
      .eventually((list) => expect(list, 'documented: a user sees who blocked them').toMention(caller.id));

    // The friend's list must show another user before the caller's absence from it counts.
    await asFriend.friends.block({ friendId: stranger.id }).succeeds();
    defer(() => asFriend.friends.unblock({ friendId: stranger.id }).settles());
    await asFriend.friends.listBlocked().eventually((list) => {
      expect(list, 'documented: the list mentions whom its owner blocked').toMention(stranger.id);
      expect(list, 'documented: the list shows whom its owner blocked, not who blocked its owner').not.toMention(
        caller.id,
      );
    });

    await friends.unblock({ friendId: friend.id }).succeeds();
    await asFriend.friends
      .listBlockers()
      .eventually((list) =>
        expect(list, 'documented: an unblocked user no longer sees the caller').not.toMention(caller.id),
      );
  },
);
