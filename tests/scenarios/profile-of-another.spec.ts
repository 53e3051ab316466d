import { expect, scenario } from '../../fixtures/index.ts';

scenario(
  'the profile of another user is their own',
  { tag: ['@profile', '@overwriting', '@restorable'] },
  async ({ profile, caller, friend, data, canReadProfile: _ }) => {
    const { sent: written } = await profile.updateProfile(data.profile()).succeeds();
    await profile
      .readProfile({ userId: caller.id })
      .eventually((read) =>
        expect(read, 'documented: updating the profile changes the name').toMention(written.name ?? ''),
      );
    const other = await profile.readProfile({ userId: friend.id }).succeeds();
    for (const own of [written.name, written.url])
      expect(other, "documented: the profile of another user is that user's own").not.toMention(own ?? '');
  },
);
