import { scenario } from '../../fixtures/index.ts';

scenario('update profile', { tag: ['@profile', '@overwriting', '@restorable'] }, async ({ profile, data }) => {
  await profile.updateProfile(data.profile()).succeeds();
});
