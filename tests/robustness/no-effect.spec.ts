import { expect, rawBody, rawText, scenario } from '../../fixtures/index.ts';

/** Bodies that name a friend and may well be refused all the same. */
const oddReferences = [
  { what: 'an extra field', of: (friendId: string) => rawBody({ friendId, extra: 'x' }) },
  { what: 'a record in a list', of: (friendId: string) => rawBody([{ friendId }]) },
  { what: 'a body that breaks off', of: (friendId: string) => rawText(`{"friendId":${JSON.stringify(friendId)}`) },
  { what: 'a content type of text', of: (friendId: string) => rawText(JSON.stringify({ friendId }), 'text/plain') },
];

scenario(
  'block that is refused for its body blocks nobody',
  { tag: ['@friends', '@reversible'] },
  async ({ friends, attempt, stranger, data, defer }) => {
    const refused: string[] = [];
    for (const { what, of } of oddReferences) {
      const id = data.id();
      const answer = await attempt('block', { what, args: of(id) });
      refused.push(...(answer.isRefusal ? [id] : []));
    }

    // A block that counts comes after them: once the list shows it, a lagging list can't hide the others.
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
  'unblock that is refused for its body unblocks nobody',
  { tag: ['@friends', '@reversible'] },
  async ({ friends, attempt, stranger, data, defer }) => {
    const refused: string[] = [];
    for (const { what, of } of oddReferences) {
      const id = data.id();
      await friends.block({ friendId: id }).isAcceptedToo();
      defer(() => friends.unblock({ friendId: id }).settles());
      await friends
        .listBlocked()
        .eventually((list) => expect(list, 'documented: the list mentions a friend just blocked').toMention(id));
      const answer = await attempt('unblock', { what, args: of(id) });
      refused.push(...(answer.isRefusal ? [id] : []));
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
  'updateProfile that is refused for its body changes nothing',
  { tag: ['@profile', '@overwriting'] },
  async ({ profile, attempt, caller, data, canReadProfile: _ }) => {
    const oddProfiles = [
      { what: 'gender in text', args: rawBody({ ...data.profile(), gender: 'one' }) },
      { what: 'an extra field', args: rawBody({ ...data.profile(), extra: 'x' }) },
      { what: 'a content type of text', args: rawText(JSON.stringify(data.profile()), 'text/plain') },
    ];
    for (const odd of oddProfiles) {
      const { sent: written } = await profile.updateProfile(data.profile()).succeeds();
      await profile
        .readProfile({ userId: caller.id })
        .eventually((read) =>
          expect(read, 'documented: updating the profile changes the name').toMention(written.name ?? ''),
        );
      const kept = (await attempt('updateProfile', odd)).isRefusal ? [written.name ?? ''] : [];
      const read = await profile.readProfile({ userId: caller.id }).succeeds();
      for (const name of kept) expect(read, 'assumed: a refused update has no effect').toMention(name);
    }
  },
);
