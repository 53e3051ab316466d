import { expect, scenario } from '../../fixtures/index.ts';

scenario(
  'update profile, then read it back',
  { tag: ['@profile', '@overwriting', '@restorable'] },
  async ({ profile, caller, data, canReadProfile: _ }) => {
    const { sent: first } = await profile.updateProfile(data.profile()).succeeds();
    await profile.readProfile({ userId: caller.id }).eventually((read) => {
      expect(read, 'documented: updating the profile changes the name').toMention(first.name ?? '');
      expect(read, 'documented: updating the profile changes the status').toShow('status', first);
      expect(read, 'documented: updating the profile changes the avatar').toShow('url', first);
    });

    const { sent: second } = await profile.updateProfile(data.profile()).succeeds();
    await profile.readProfile({ userId: caller.id }).eventually((read) => {
      expect(read, 'documented: the profile can be updated again').toMention(second.name ?? '');
      expect(read, 'documented: an update replaces the name').not.toMention(first.name ?? '');
    });
  },
);
