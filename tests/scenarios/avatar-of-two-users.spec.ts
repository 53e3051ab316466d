import { scenario } from '../../fixtures/index.ts';

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

scenario("another user's avatar leaves mine", { tag: ['@profile', '@overwriting'] }, async ({ keepsAvatarsApart }) => {
  await keepsAvatarsApart('friend');
});

scenario(
  'my avatar at another client leaves mine',
  { tag: ['@profile', '@overwriting'] },
  async ({ keepsAvatarsApart }) => {
    await keepsAvatarsApart('elsewhere');
  },
);
