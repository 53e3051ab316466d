import { expect, scenario } from '../../fixtures/index.ts';

/** By two users at once: one look may miss a server among several that is wrong, or a response that is now and then another user's. */
const looks = [1, 2, 3, 4];

scenario(
  'lists that have settled are right each time',
  { tag: ['@friends', '@reversible'] },
  async ({ friends, asFriend, caller, friend, stranger, hasSettled, defer }) => {
    await friends.listBlockers().succeeds();
    for (const { id } of [friend, stranger]) {
      await friends.block({ friendId: id }).succeeds();
      defer(() => friends.unblock({ friendId: id }).settles());
    }
    await asFriend.friends.block({ friendId: caller.id }).succeeds();
    defer(() => asFriend.friends.unblock({ friendId: caller.id }).settles());
    await friends
      .listBlocked()
      .eventually((list) => expect(list, 'documented: the list mentions a friend just blocked').toMention(friend.id));
    await friends.unblock({ friendId: friend.id }).succeeds();
    const read = () =>
      Promise.all([
        friends.listBlocked().succeeds(),
        friends.listBlocked().succeeds(),
        asFriend.friends.listBlocked().succeeds(),
        friends.listBlockers().succeeds(),
        friends.listBlockers().succeeds(),
      ]);
    await hasSettled();
    // A cache may show what it has once more, and look for news then.
    await read();

    for (const _ of looks) {
      const [mine, again, theirs, ...blockers] = await read();
      for (const list of [mine, again]) {
        expect(list, 'documented: the list mentions whom its owner blocked').toMention(stranger.id);
        expect(list, 'documented: the list no longer mentions a friend unblocked before').not.toMention(friend.id);
        expect(list, 'documented: the list does not show whom another user blocked').not.toMention(caller.id);
      }
      expect(theirs, 'documented: the list mentions whom its owner blocked').toMention(caller.id);
      expect(theirs, 'documented: the list does not show whom another user blocked').not.toMention(stranger.id);
      for (const list of blockers) expect(list, 'documented: a user sees who blocked them').toMention(friend.id);
    }
  },
);

scenario(
  'profiles that have settled are right each time',
  { tag: ['@profile', '@overwriting', '@restorable'] },
  async ({ profile, asFriend, caller, friend, data, hasSettled, canReadProfile: _ }) => {
    await profile.readProfile({ userId: caller.id }).succeeds();
    const { sent: mine } = await profile.updateProfile(data.profile()).succeeds();
    const { sent: theirs } = await asFriend.profile.updateProfile(data.profile()).succeeds();
    const read = () =>
      Promise.all([
        asFriend.profile.readProfile({ userId: friend.id }).succeeds(),
        asFriend.profile.readProfile({ userId: friend.id }).succeeds(),
        profile.readProfile({ userId: caller.id }).succeeds(),
        profile.readProfile({ userId: caller.id }).succeeds(),
        profile.readProfile({ userId: caller.id }).succeeds(),
      ]);
    await hasSettled();
    await read();

    for (const _ of looks) {
      const [other, another, ...own] = await read();
      for (const read of [other, another])
        expect(read, 'documented: updating the profile changes the name').toMention(theirs.name ?? '');
      for (const read of own) {
        expect(read, 'documented: updating the profile changes the name').toMention(mine.name ?? '');
        expect(read, "documented: the profile of a user is that user's own").not.toMention(theirs.name ?? '');
      }
    }
  },
);
