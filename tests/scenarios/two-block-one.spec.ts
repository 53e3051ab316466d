import { expect, scenario } from '../../fixtures/index.ts';

scenario(
  'two users block one, and one of them unblocks',
  { tag: ['@friends', '@reversible'] },
  async ({ friends, asFriend, stranger, defer }) => {
    await friends.block({ friendId: stranger.id }).succeeds();
    defer(() => friends.unblock({ friendId: stranger.id }).settles());
    await asFriend.friends.block({ friendId: stranger.id }).succeeds();
    defer(() => asFriend.friends.unblock({ friendId: stranger.id }).settles());
    await asFriend.friends
      .listBlocked()
      .eventually((list) =>
        expect(list, 'documented: the list mentions whom its owner blocked').toMention(stranger.id),
      );

    await asFriend.friends.unblock({ friendId: stranger.id }).succeeds();
    await asFriend.friends
      .listBlocked()
      .eventually((list) =>
        expect(list, 'documented: the list no longer mentions a user just unblocked').not.toMention(stranger.id),
      );
    await friends
      .listBlocked()
      .eventually((list) => expect(list, "documented: the other user's block stays").toMention(stranger.id));
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
      expect(list, 'documented: who did not unblock stays on the list').toMention(caller.id);
      expect(list, 'documented: who unblocked is on the list no more').not.toMention(friend.id);
    });
  },
);
