import { expect, scenario } from '../../fixtures/index.ts';

scenario(
  'who blocked me',
  { tag: ['@friends', '@reversible'] },
  async ({ friends, asFriend, caller, friend, defer }) => {
    await asFriend.friends.block({ friendId: caller.id }).succeeds();
    defer(() => asFriend.friends.unblock({ friendId: caller.id }).settles());
    await asFriend.friends
      .listBlocked()
      .eventually((list) => expect(list, 'documented: the list mentions a friend just blocked').toMention(caller.id));
    await friends
      .listBlockers()
      .eventually((list) => expect(list, 'documented: a user sees who blocked them').toMention(friend.id));
    await asFriend.friends.unblock({ friendId: caller.id }).succeeds();

    // Both lists were seen to work, so what is on them no longer is gone.
    await friends.block({ friendId: friend.id }).succeeds();
    defer(() => friends.unblock({ friendId: friend.id }).settles());
    await asFriend.friends
      .listBlockers()
      .eventually((list) => expect(list, 'documented: a user sees who blocked them').toMention(caller.id));
    await asFriend.friends
      .listBlocked()
      .eventually((list) =>
        expect(list, 'documented: the list shows whom its owner blocked, not who blocked its owner').not.toMention(
          caller.id,
        ),
      );
    await friends
      .listBlockers()
      .eventually((list) =>
        expect(list, 'documented: whom a user blocked did not block that user').not.toMention(friend.id),
      );

    await friends.unblock({ friendId: friend.id }).succeeds();
    await asFriend.friends
      .listBlockers()
      .eventually((list) =>
        expect(list, 'documented: an unblocked user no longer sees the caller').not.toMention(caller.id),
      );
  },
);
