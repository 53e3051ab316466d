import { scenario } from '../../fixtures/index.ts';

// The only request that the specification shows for this operation is operation 11's (part 4, rule 4).
scenario(
  'get friend profile, as documented',
  { tag: ['@profile', '@overwriting', '@restorable'] },
  async ({ profile, data }) => {
    await profile.getFriendProfile(data.profile()).succeeds();
  },
);
