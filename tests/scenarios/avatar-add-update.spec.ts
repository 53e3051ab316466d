import { scenario } from '../../fixtures/index.ts';

scenario('avatar add, then update', { tag: ['@profile', '@overwriting'] }, async ({ profile, data, asBefore }) => {
  const added = await profile.saveAvatar(data.avatar()).succeeds('documented: an avatar is added where there is none');
  asBefore.shows(added, 'the name that was sent', added.sent.name);
  const updated = await profile
    .saveAvatar(data.avatar())
    .succeeds('documented: an avatar is updated where there is one');
  asBefore.shows(updated, 'the name that was sent', updated.sent.name);
});

scenario('update the avatar, then read it back', { tag: ['@profile', '@overwriting'] }, async ({ replacesAvatar }) => {
  await replacesAvatar();
});
