import { scenario } from '../../fixtures/index.ts';

// The only scenario with several areas that runs where an environment allows nothing but `read`. Use only operations with that effect.
scenario('read-only round', { tag: ['@all', '@read'] }, async ({ friends, stories, features, language, data }) => {
  await stories.reportOptions({ language }).succeeds();
  await features.evaluate({ key: data.text(), default: 'false', contextData: data.context() }).succeeds();
  // The lists come last, because a list without entries may end the scenario as unproven.
  await friends.listBlocked().succeeds();
  await friends.listBlockers().succeeds();
});
