import { scenario } from '../../fixtures/index.ts';

scenario('avatar add, then update', { tag: ['@profile', '@overwriting'] }, async ({ profile, data }) => {
  await profile.saveAvatar(data.avatar()).succeeds('documented: an avatar is added where there is none');
  await profile.saveAvatar(data.avatar()).succeeds('documented: an avatar is updated where there is one');
});
