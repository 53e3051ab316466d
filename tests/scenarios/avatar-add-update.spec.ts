import { scenario } from '../../fixtures/index.ts';

scenario('avatar add, then update', { tag: ['@profile', '@overwriting'] }, async ({ profile, newAvatar }) => {
  await profile.saveAvatar(newAvatar()).succeeds('documented: an avatar is added where there is none');
  await profile.saveAvatar(newAvatar()).succeeds('documented: an avatar is updated where there is one');
});

scenario('an avatar keeps its items', { tag: ['@profile', '@overwriting'] }, async ({ keepsItems }) => {
  await keepsItems();
});

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
