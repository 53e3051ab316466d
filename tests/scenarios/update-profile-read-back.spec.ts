import { expect, scenario } from '../../fixtures/index.ts';

scenario(
  'update profile, then read it back',
  { tag: ['@profile', '@overwriting', '@restorable'] },
  async ({ profile, caller, data, canReadProfile: _ }) => {
    const written = data.profile();
    await profile.updateProfile(written).succeeds();
    await profile.readProfile({ userId: caller.id }).eventually((read) => {
      expect(read, 'documented: updating the profile changes the name').toMention(written.name ?? '');
      expect(read, 'documented: updating the profile changes the user information').toMention(written.status ?? '');
    });
  },
);
