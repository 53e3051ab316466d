import { scenario } from '../../fixtures/index.ts';

scenario('evaluate a flag with default', { tag: ['@features', '@read'] }, async ({ fallsBack, data }) => {
  for (const fallback of [data.id(), data.id()])
    await fallsBack({ key: data.text(), default: fallback, contextData: data.context() });
});
