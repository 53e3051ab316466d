import { expect, scenario } from '../../fixtures/index.ts';

scenario(
  'the profile of another user is their own',
  { tag: ['@profile', '@overwriting', '@restorable'] },
  async ({ profile, caller, friend, newProfile, canReadProfile: _ }) => {
    const { sent: written } = await profile.updateProfile(newProfile()).succeeds();
    await profile
      .readProfile({ userId: caller.id })
      .eventually((read) =>
        expect(read, 'documented: updating the profile changes the name').toMention(written.name ?? ''),
      );
    const other = await profile.readProfile({ userId: friend.id }).succeeds();
    expect(other, "documented: the profile of another user is that user's own").not.toMention(written.name ?? '');
  },
);

scenario(
  'get friend profile, as configured',
  { tag: ['@profile', '@read'] },
  async ({ profile, friend, canReadProfile: _ }) => {
    await profile
      .readProfile({ userId: friend.id })
      .succeeds('documented: the profile of another user or friend can be read');
  },
);

// The specification shows only one request for `getFriendProfile`: that of operation 11, `updateProfile` (part 4, rule 4).
scenario(
  'get friend profile, as documented',
  { tag: ['@profile', '@overwriting', '@restorable'] },
  async ({ profile, newProfile }) => {
    await profile.getFriendProfile(newProfile()).succeeds();
  },
);
