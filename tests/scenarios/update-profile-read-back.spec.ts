import { expect, scenario } from '../../fixtures/index.ts';

scenario(
  'update profile, then read it back',
  { tag: ['@profile', '@overwriting', '@restorable'] },
  async ({ profile, caller, newProfile, canReadProfile: _ }) => {
    const { sent: first } = await profile.updateProfile(newProfile()).succeeds();
    const { sent: second } = await profile.updateProfile(newProfile()).succeeds();
    await profile.readProfile({ userId: caller.id }).eventually((read) => {
      expect(read, 'documented: the profile can be updated again').toMention(second.name ?? '');
      expect(read, 'documented: an update replaces the name').not.toMention(first.name ?? '');
      expect(read, 'documented: an update replaces the status').toShow('status', second);
      expect(read, 'documented: an update replaces the avatar').toShow('url', second);
    });
  },
);

scenario(
  'update the gender, then read it back',
  { tag: ['@profile', '@overwriting', '@restorable'] },
  async ({ profile, caller, newProfile, takesOtherGender, canReadProfile: _ }) => {
    const { sent: first } = await profile.updateProfile(newProfile()).succeeds();
    const second = await takesOtherGender(first);
    await profile
      .readProfile({ userId: caller.id })
      .eventually((read) => expect(read, 'documented: an update replaces the gender').toShow('gender', second));
  },
);

scenario(
  'an update leaves what it does not name',
  { tag: ['@profile', '@overwriting', '@restorable'] },
  async ({ profile, caller, newProfile, leavesTheRest, unlessRefused, canReadProfile: _ }) => {
    const { sent: first } = await profile.updateProfile(newProfile()).succeeds();
    const before = await profile
      .readProfile({ userId: caller.id })
      .eventually((read) =>
        expect(read, 'documented: updating the profile changes the name').toMention(first.name ?? ''),
      );
    const second = newProfile();
    const alone = profile.updateProfile({ includes: 'name', name: second.name }).isDecided();
    await unlessRefused(alone, 'an update of the name alone', 'partial-update');
    const after = await profile
      .readProfile({ userId: caller.id })
      .eventually((read) => expect(read, 'documented: an update replaces the name').toMention(second.name));
    await leavesTheRest({ before, after }, { before: first, after: second });
  },
);

scenario(
  'a friend who read the profile sees its update',
  { tag: ['@profile', '@overwriting', '@restorable'] },
  async ({ profile, asFriend, caller, newProfile, canReadProfile: _ }) => {
    await asFriend.profile
      .readProfile({ userId: caller.id })
      .succeeds('documented: the profile of another user or friend can be read');
    const { sent } = await profile.updateProfile(newProfile()).succeeds();
    await asFriend.profile
      .readProfile({ userId: caller.id })
      .eventually((read) =>
        expect(read, 'documented: the profile of another user shows that user’s update').toMention(sent.name ?? ''),
      );
  },
);

scenario('update profile', { tag: ['@profile', '@overwriting', '@restorable'] }, async ({ profile, newProfile }) => {
  await profile.updateProfile(newProfile()).succeeds();
});
