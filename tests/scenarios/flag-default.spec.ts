import { expect, scenario } from '../../fixtures/index.ts';

scenario('evaluate a flag with default', { tag: ['@features', '@read'] }, async ({ features, data }) => {
  const fallback = data.id();
  const answer = await features.evaluate({ key: data.id(), default: fallback, contextData: data.context() }).succeeds();
  expect(answer, 'documented: a key nobody defined gives the default').toMention(fallback);
});
