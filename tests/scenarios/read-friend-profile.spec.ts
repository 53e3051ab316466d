import { scenario } from '../../fixtures/index.ts';

scenario(
  'get friend profile, as configured',
  { tag: ['@profile', '@read'] },
  async ({ profile, friend, canReadProfile: _ }) => {
    await profile
      .readProfile({ userId: friend.id })
      .succeeds('documented: the profile of another user or friend can be had');
  },
);
