import { expect, scenario } from '../../fixtures/index.ts';

scenario('evaluate a flag with default', { tag: ['@features', '@read'] }, async ({ features, data }) => {
  for (const fallback of [data.id(), data.id()]) {
    const asked = { key: data.id(), default: fallback, contextData: data.context() };
    const answer = await features.evaluate(asked).succeeds();
    expect(answer, 'documented: a key nobody defined gives the default of this very call').toMention(fallback);
  }
});
