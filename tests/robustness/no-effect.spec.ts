import { expect, rawBody, rawText, scenario } from '../../fixtures/index.ts';

/** Invalid bodies that still name a friend. */
const invalidReferences = [
  { what: 'an extra field', of: (friendId: string) => rawBody({ friendId, extra: 'x' }) },
  { what: 'a record in a list', of: (friendId: string) => rawBody([{ friendId }]) },
  { what: 'a truncated body', of: (friendId: string) => rawText(`{"friendId":${JSON.stringify(friendId)}`) },
  { what: 'a content type of text', of: (friendId: string) => rawText(JSON.stringify({ friendId }), 'text/plain') },
];

scenario(
  'block refused for its body has no effect',
  { tag: ['@friends', '@reversible'] },
  async ({ friends, sendInvalid, friend, isSeenWhileBlocked, listsCatchUp }) => {
    await isSeenWhileBlocked(friends, friend);
    for (const { what, of } of invalidReferences) {
      const { isRefusal } = await sendInvalid('block', { what, args: of(friend.id) });
      // The service may ignore the mistake and block the friend.
      if (!isRefusal) await friends.unblock({ friendId: friend.id }).settles();
      await listsCatchUp();
      await friends
        .listBlocked()
        .shows((list) => expect(list, 'assumed: a refused block has no effect').not.toMention(friend.id));
    }
  },
);

scenario(
  'unblock refused for its body has no effect',
  { tag: ['@friends', '@reversible'] },
  async ({ friends, sendInvalid, friend, listsCatchUp, defer }) => {
    for (const { what, of } of invalidReferences) {
      await friends.block({ friendId: friend.id }).succeeds();
      defer(() => friends.unblock({ friendId: friend.id }).settles());
      await friends
        .listBlocked()
        .eventually((list) => expect(list, 'documented: the list mentions a friend just blocked').toMention(friend.id));
      const { isRefusal } = await sendInvalid('unblock', { what, args: of(friend.id) });
      if (!isRefusal) continue;
      await listsCatchUp();
      await friends
        .listBlocked()
        .shows((list) => expect(list, 'assumed: a refused unblock has no effect').toMention(friend.id));
      await friends.unblock({ friendId: friend.id }).isAcceptedToo();
    }
  },
);

scenario(
  'updateProfile refused for its body has no effect',
  { tag: ['@profile', '@overwriting'] },
  async ({ profile, sendInvalid, caller, newProfile, canReadProfile: _ }) => {
    const invalidProfiles = [
      { what: 'an extra field', args: rawBody({ ...newProfile(), extra: 'x' }) },
      { what: 'a content type of text', args: rawText(JSON.stringify(newProfile()), 'text/plain') },
      // This input must be the last one. If the service accepts it, a read that lags behind the next update would still show it.
      { what: 'gender in text', args: rawBody({ ...newProfile(), gender: 'one' }) },
    ];
    for (const input of invalidProfiles) {
      const { sent: written } = await profile.updateProfile(newProfile()).succeeds();
      await profile
        .readProfile({ userId: caller.id })
        .eventually((read) =>
          expect(read, 'documented: updating the profile changes the name').toMention(written.name ?? ''),
        );
      const { isRefusal } = await sendInvalid('updateProfile', input);
      const read = profile.readProfile({ userId: caller.id });
      if (isRefusal)
        expect(await read.succeeds(), 'assumed: a refused update has no effect').toMention(written.name ?? '');
      // If the service accepted the update, the profile may have a form that no valid profile has, so its content is not checked.
      else await read.isHandled();
    }
  },
);
