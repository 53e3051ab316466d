import { expect, scenario } from '../../fixtures/index.ts';

/**
 * Rounds of reads. Each round reads one list or profile several times, because servers that take turns may disagree. It also reads as two
 * users at once, because their responses may get mixed up.
 */
const looks = [1, 2, 3];

scenario(
  'lists that have settled are right each time',
  { tag: ['@friends', '@reversible'] },
  async ({ friends, asFriend, caller, friend, hasSettled, defer }) => {
    const read = () =>
      Promise.all([
        asFriend.friends.listBlocked().succeeds(),
        friends.listBlocked().succeeds(),
        friends.listBlocked().succeeds(),
        friends.listBlocked().succeeds(),
        asFriend.friends.listBlockers().succeeds(),
        asFriend.friends.listBlockers().succeeds(),
        asFriend.friends.listBlockers().succeeds(),
      ]);
    await read();
    await friends.block({ friendId: friend.id }).succeeds();
    defer(() => friends.unblock({ friendId: friend.id }).settles());
    await asFriend.friends.block({ friendId: caller.id }).succeeds();
    defer(() => asFriend.friends.unblock({ friendId: caller.id }).settles());
    await asFriend.friends
      .listBlocked()
      .eventually((list) => expect(list, 'documented: the list mentions a friend just blocked').toMention(caller.id));
    await asFriend.friends.unblock({ friendId: caller.id }).succeeds();
    await hasSettled();
    // A cache may respond to a read with its old content, and only then refresh it. These reads make the cache refresh before the reads
    // that are checked.
    await read();

    for (const _ of looks) {
      const owners = [1, 2, 3].map(() =>
        friends
          .listBlocked()
          .shows((mine) => expect(mine, 'documented: the list mentions whom its owner blocked').toMention(friend.id)),
      );
      const blockers = [1, 2, 3].map(() =>
        asFriend.friends
          .listBlockers()
          .shows((list) => expect(list, 'documented: a user sees who blocked them').toMention(caller.id)),
      );
      const theirs = asFriend.friends
        .listBlocked()
        .shows((list) =>
          expect(list, 'documented: the list must no longer mention a user unblocked before').not.toMention(caller.id),
        );
      await Promise.all([theirs, ...owners, ...blockers]);
    }
  },
);

scenario(
  'profiles that have settled are right each time',
  { tag: ['@profile', '@overwriting', '@restorable'] },
  async ({ profile, asFriend, caller, friend, newProfile, hasSettled, canReadProfile: _ }) => {
    await profile.readProfile({ userId: caller.id }).succeeds();
    const { sent: mine } = await profile.updateProfile(newProfile()).succeeds();
    const { sent: theirs } = await asFriend.profile.updateProfile(newProfile()).succeeds();
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
