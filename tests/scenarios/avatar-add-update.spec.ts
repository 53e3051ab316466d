import { scenario } from '../../fixtures/index.ts';

scenario('avatar add, then update', { tag: ['@profile', '@overwriting'] }, async ({ profile, data, asBefore }) => {
  const added = await profile.saveAvatar(data.avatar()).succeeds('documented: an avatar is added where there is none');
  asBefore.shows(added, 'the name that was sent', added.sent.name);
  const updated = await profile
    .saveAvatar(data.avatar())
    .succeeds('documented: an avatar is updated where there is one');
  for (const field of ['includes', 'name', 'meta'] as const)
    asBefore.shows(updated, `the ${field} that was sent`, updated.sent[field]);
  asBefore.shows(updated, 'the design that was sent', updated.sent.items?.[0]?.designId);
});

scenario('an avatar keeps its items', { tag: ['@profile', '@overwriting'] }, async ({ keepsItems }) => {
  await keepsItems();
});
