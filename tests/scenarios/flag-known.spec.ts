import { scenario } from '../../fixtures/index.ts';

scenario('evaluate a flag that exists', { tag: ['@features', '@read'] }, async ({ features, flagKey, data }) => {
  await features.evaluate({ key: flagKey, default: 'false', contextData: data.context() }).succeeds();
});

scenario('a flag that exists has its own value', { tag: ['@features', '@read'] }, async ({ hasItsOwnValue }) => {
  await hasItsOwnValue();
});

scenario('evaluate a flag with default', { tag: ['@features', '@read'] }, async ({ fallsBack, data }) => {
  const contextData = data.context();
  const [key, another] = [data.text(), data.text()];
  await fallsBack({ key, default: data.id(), contextData });
  await fallsBack({ key: another, default: data.id(), contextData });
  // The default is that of the call: one that is kept by its key shows only when the key is asked for again.
  await fallsBack({ key, default: data.id(), contextData });
});
