import { expect, scenario } from '../../fixtures/index.ts';

scenario(
  'two users have separate lists',
  { tag: ['@friends', '@reversible'] },
  async ({ friends, asFriend, caller, friend, stranger, defer }) => {
    defer(() => asFriend.friends.unblock({ friendId: stranger.id }).settles());
    defer(() => asFriend.friends.unblock({ friendId: caller.id }).settles());
    defer(() => friends.unblock({ friendId: friend.id }).settles());
    await Promise.all([
      asFriend.friends.block({ friendId: caller.id }).succeeds(),
      friends.block({ friendId: friend.id }).succeeds(),
    ]);
    await friends.block({ friendId: stranger.id }).succeeds();
    defer(() => friends.unblock({ friendId: stranger.id }).settles());

    // The friend's own list comes first, because it shows whether the service recognizes the friend as another user.
    await asFriend.friends.listBlocked().eventually((list) => {
      expect(list, 'documented: the list mentions whom its owner blocked').toMention(caller.id);
      expect(list, 'documented: the list does not show whom another user blocked').not.toMention(stranger.id);
    });
    await friends.listBlockers().eventually((list) => {
      expect(list, 'documented: a user sees who blocked them').toMention(friend.id);
      expect(list, 'documented: a user whom the caller blocked is no blocker of the caller').not.toMention(stranger.id);
    });
    await asFriend.friends.listBlockers().eventually((list) => {
      expect(list, 'documented: a user sees who blocked them').toMention(caller.id);
      expect(list, 'documented: the list of blockers shows no blocker of another user').not.toMention(friend.id);
    });

    await friends.unblock({ friendId: friend.id }).succeeds();
    await asFriend.friends
      .listBlockers()
      .eventually((list) =>
        expect(list, 'documented: an unblocked user no longer sees the caller').not.toMention(caller.id),
      );

    await asFriend.friends.block({ friendId: stranger.id }).succeeds();
    await asFriend.friends.unblock({ friendId: stranger.id }).succeeds();
    await friends.listBlocked().eventually((list) => {
      expect(list, "documented: the list mentions whom its owner blocked, and the other user's block stays").toMention(
        stranger.id,
      );
      expect(list, 'documented: the list does not show whom another user blocked').not.toMention(caller.id);
    });
    await Promise.all([
      friends.unblock({ friendId: stranger.id }).succeeds(),
      asFriend.friends.unblock({ friendId: caller.id }).succeeds(),
    ]);
  },
);

scenario(
  'two users who blocked me',
  { tag: ['@friends', '@reversible'] },
  async ({ friends, asFriend, asStranger, caller, friend, stranger, defer }) => {
    await friends.block({ friendId: stranger.id }).succeeds();
    defer(() => friends.unblock({ friendId: stranger.id }).settles());
    await asFriend.friends.block({ friendId: stranger.id }).succeeds();
    defer(() => asFriend.friends.unblock({ friendId: stranger.id }).settles());
    await asStranger.friends.listBlockers().eventually((list) => {
      expect(list, 'documented: a user sees the first of two who blocked them').toMention(caller.id);
      expect(list, 'documented: a user sees the second of two who blocked them').toMention(friend.id);
    });

    await asFriend.friends.unblock({ friendId: stranger.id }).succeeds();
    await asStranger.friends.listBlockers().eventually((list) => {
      expect(list, 'documented: a user who did not unblock stays on the list').toMention(caller.id);
      expect(list, 'documented: the list no longer mentions a user who unblocked').not.toMention(friend.id);
    });
  },
);

scenario(
  'who blocked me',
  { tag: ['@friends', '@reversible'] },
  async ({ friends, asFriend, caller, friend, defer }) => {
    await asFriend.friends.block({ friendId: caller.id }).succeeds();
    defer(() => asFriend.friends.unblock({ friendId: caller.id }).settles());
    await Promise.all([
      asFriend.friends
        .listBlocked()
        .eventually((list) => expect(list, 'documented: the list mentions a friend just blocked').toMention(caller.id)),
      friends
        .listBlockers()
        .eventually((list) => expect(list, 'documented: a user sees who blocked them').toMention(friend.id)),
    ]);
    await friends.block({ friendId: friend.id }).succeeds();
    defer(() => friends.unblock({ friendId: friend.id }).settles());
    await asFriend.friends.unblock({ friendId: caller.id }).succeeds();

    // Both lists have shown their entries before. So if a list no longer shows an entry, the entry is gone.
    await Promise.all([
      asFriend.friends
        .listBlockers()
        .eventually((list) =>
          expect(list, "documented: a user sees who blocked them, and the other user's block stays").toMention(
            caller.id,
          ),
        ),
      asFriend.friends
        .listBlocked()
        .eventually((list) =>
          expect(list, 'documented: the list shows whom its owner blocked, not who blocked its owner').not.toMention(
            caller.id,
          ),
        ),
      friends
        .listBlockers()
        .eventually((list) =>
          expect(list, 'documented: a user whom the caller blocked is no blocker of the caller').not.toMention(
            friend.id,
          ),
        ),
    ]);
  },
);
