import { scenario } from '../../fixtures/index.ts';

// The one story that an environment which allows nothing else still tells. Keep it to operations of effect `read`.
scenario('read-only round', { tag: ['@all', '@read'] }, async ({ friends, stories, features, language, data }) => {
  await friends.listBlocked().succeeds();
  await friends.listBlockers().succeeds();
  await stories.reportOptions({ language }).succeeds();
  await features.evaluate({ key: data.text(), default: 'false', contextData: data.context() }).succeeds();
});
