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
  async ({ friends, sendInvalid, stranger, data, defer }) => {
    const refused: string[] = [];
    for (const { what, of } of invalidReferences) {
      const id = data.id();
      const response = await sendInvalid('block', { what, args: of(id) });
      refused.push(...(response.isRefusal ? [id] : []));
    }

    // A valid block follows: once the list shows it, a lagging list can't hide the others.
    await friends.block({ friendId: stranger.id }).succeeds();
    defer(() => friends.unblock({ friendId: stranger.id }).settles());
    await friends.listBlocked().eventually((list) => {
      expect(list, 'documented: the list mentions a friend just blocked').toMention(stranger.id);
      for (const id of refused) expect(list, 'assumed: a refused block has no effect').not.toMention(id);
    });

    // The same users can be blocked, and are shown: that they weren't on the list was no accident.
    for (const id of refused) {
      await friends.block({ friendId: id }).isAcceptedToo();
      defer(() => friends.unblock({ friendId: id }).settles());
    }
    await friends.listBlocked().eventually((list) => {
      for (const id of refused) expect(list, 'documented: the list mentions a friend just blocked').toMention(id);
    });
  },
);

scenario(
  'unblock refused for its body has no effect',
  { tag: ['@friends', '@reversible'] },
  async ({ friends, sendInvalid, stranger, data, defer }) => {
    const refused: string[] = [];
    for (const { what, of } of invalidReferences) {
      const id = data.id();
      await friends.block({ friendId: id }).isAcceptedToo();
      defer(() => friends.unblock({ friendId: id }).settles());
      await friends
        .listBlocked()
        .eventually((list) => expect(list, 'documented: the list mentions a friend just blocked').toMention(id));
      const response = await sendInvalid('unblock', { what, args: of(id) });
      refused.push(...(response.isRefusal ? [id] : []));
    }

    await friends.block({ friendId: stranger.id }).succeeds();
    defer(() => friends.unblock({ friendId: stranger.id }).settles());
    await friends.listBlocked().eventually((list) => {
      expect(list, 'documented: the list mentions a friend just blocked').toMention(stranger.id);
      for (const id of refused) expect(list, 'assumed: a refused unblock has no effect').toMention(id);
    });
    for (const id of refused) await friends.unblock({ friendId: id }).isAcceptedToo();
  },
);

scenario(
  'updateProfile refused for its body has no effect',
  { tag: ['@profile', '@overwriting'] },
  async ({ profile, sendInvalid, caller, data, canReadProfile: _ }) => {
    const invalidProfiles = [
      { what: 'gender in text', args: rawBody({ ...data.profile(), gender: 'one' }) },
      { what: 'an extra field', args: rawBody({ ...data.profile(), extra: 'x' }) },
      { what: 'a content type of text', args: rawText(JSON.stringify(data.profile()), 'text/plain') },
    ];
    for (const input of invalidProfiles) {
      const { sent: written } = await profile.updateProfile(data.profile()).succeeds();
      await profile
        .readProfile({ userId: caller.id })
        .eventually((read) =>
          expect(read, 'documented: updating the profile changes the name').toMention(written.name ?? ''),
        );
      const { isRefusal } = await sendInvalid('updateProfile', input);
      const read = profile.readProfile({ userId: caller.id });
      if (isRefusal)
        expect(await read.succeeds(), 'assumed: a refused update has no effect').toMention(written.name ?? '');
      // What a service accepted it may repeat, in shapes that no valid profile has.
      else await read.isHandled();
    }
  },
);
