import { expect, scenario } from '../../fixtures/index.ts';

scenario(
  'update profile, then read it back',
  { tag: ['@profile', '@overwriting', '@restorable'] },
  async ({ profile, caller, friend, data, canReadProfile: _ }) => {
    const first = { ...data.profile(), name: data.text() };
    await profile.updateProfile(first).succeeds();
    await profile.readProfile({ userId: caller.id }).eventually((read) => {
      expect(read, 'documented: updating the profile changes the name').toMention(first.name);
      expect(read, 'documented: updating the profile changes the status').toMention(first.status ?? '');
      expect(read, 'documented: updating the profile changes the avatar').toMention(first.url ?? '');
    });

    const second = { ...data.profile(), name: data.text() };
    await profile.updateProfile(second).succeeds();
    await profile.readProfile({ userId: caller.id }).eventually((read) => {
      expect(read, 'documented: the profile can be updated again').toMention(second.name);
      expect(read, 'documented: an update replaces the name').not.toMention(first.name);
    });
    const other = await profile.readProfile({ userId: friend.id }).succeeds();
    expect(other, "documented: the profile of another user is that user's own").not.toMention(second.name);
  },
);
