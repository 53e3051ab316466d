import { scenario } from '../../fixtures/index.ts';

scenario('evaluate a flag that exists', { tag: ['@features', '@read'] }, async ({ features, flagKey, data }) => {
  await features.evaluate({ key: flagKey, default: 'false', contextData: data.context() }).succeeds();
});

scenario('a flag that exists has its own value', { tag: ['@features', '@read'] }, async ({ hasItsOwnValue }) => {
  await hasItsOwnValue();
});
