import { expect, scenario } from '../../fixtures/index.ts';

scenario('avatar add, then update', { tag: ['@profile', '@overwriting'] }, async ({ profile, newAvatar }) => {
  await profile.saveAvatar(newAvatar()).succeeds('documented: an avatar is added if there is none');
  await profile.saveAvatar(newAvatar()).succeeds('documented: an avatar is updated if there is one');
});

// An updated avatar has the items of its last save. The specification leaves open whether a response or the profile shows items at all.
scenario(
  'an avatar keeps its items',
  { tag: ['@profile', '@overwriting'] },
  async ({ profile, caller, newAvatar, showsAvatar, keepsItems }) => {
    const first = await profile.saveAvatar(newAvatar()).succeeds();
    const isShown = await showsAvatar(first);
    const second = await profile.saveAvatar(newAvatar()).succeeds();
    if (!isShown) return keepsItems(first, second);
    const read = await profile
      .readProfile({ userId: caller.id })
      .eventually((shown) =>
        expect(shown, 'documented: saving an existing avatar updates it').toMention(second.sent.name),
      );
    await keepsItems(first, second, read);
  },
);

// The caller saves twice: the first save adds an avatar, and the second one updates it. If their statuses differ, the status of the other
// user's save shows whether it added an avatar, or updated the caller's.
scenario(
  "another user's avatar leaves mine",
  { tag: ['@profile', '@overwriting'] },
  async ({ profile, asFriend, caller, newAvatar, showsAvatar, staysMine }) => {
    const mine = await profile.saveAvatar(newAvatar()).succeeds();
    const isShown = await showsAvatar(mine);
    const theirs = await asFriend.profile.saveAvatar(newAvatar()).succeeds();
    const read = isShown ? await profile.readProfile({ userId: caller.id }).succeeds() : undefined;
    const update = () => profile.saveAvatar(newAvatar()).succeeds();
    await staysMine({ mine, theirs, read, update });
  },
);

scenario(
  'my avatar at another client leaves mine',
  { tag: ['@profile', '@overwriting'] },
  async ({ profile, caller, otherClient, newAvatar, showsAvatar, staysMine }) => {
    const mine = await profile.saveAvatar(newAvatar()).succeeds();
    const isShown = await showsAvatar(mine);
    const theirs = await profile.saveAvatar(newAvatar()).withHeader('mm-client-id', otherClient.id).isDecided();
    const read = isShown ? await profile.readProfile({ userId: caller.id }).succeeds() : undefined;
    const update = () => profile.saveAvatar(newAvatar()).succeeds();
    await staysMine({ mine, theirs, read, update, client: otherClient.id });
  },
);
