import { expect, scenario } from '../../fixtures/index.ts';

scenario(
  'two users have an avatar each',
  { tag: ['@profile', '@overwriting'] },
  async ({ profile, asFriend, data }) => {
    await profile.saveAvatar(data.avatar()).succeeds();
    await asFriend.profile
      .saveAvatar(data.avatar())
      .succeeds('documented: an avatar is kept by client id and owner id, so two users have one each');
  },
);

scenario(
  "another user's avatar leaves mine",
  { tag: ['@profile', '@overwriting'] },
  async ({ profile, asFriend, caller, data, showsAvatar, canReadProfile: _ }) => {
    const mine = await showsAvatar();
    const { sent: theirs } = await asFriend.profile.saveAvatar(data.avatar()).succeeds();
    const read = await profile.readProfile({ userId: caller.id }).succeeds();
    expect(read, 'documented: an avatar is kept by client id and owner id').toMention(mine.name ?? '');
    expect(read, "documented: another owner's avatar is another one").not.toMention(theirs.name ?? '');
  },
);

scenario(
  "the response to another user's avatar is theirs",
  { tag: ['@profile', '@overwriting'] },
  async ({ isTheFriends }) => {
    await isTheFriends();
  },
);
