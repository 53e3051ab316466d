import { scenario } from '../../fixtures/index.ts';

scenario('evaluate a flag that exists', { tag: ['@features', '@read'] }, async ({ features, flagKey, data }) => {
  await features.evaluate({ key: flagKey, default: 'false', contextData: data.context() }).succeeds();
});

scenario(
  'a flag that exists has its own value',
  { tag: ['@features', '@read'] },
  async ({ features, flagKey, flagDefault, data, hasItsOwnValue }) => {
    const asked = { default: flagDefault, contextData: data.context() };
    const known = await features.evaluate({ key: flagKey, ...asked }).isDecided();
    // `hasItsOwnValue` makes the second call only if it has to see how the response for a key that doesn't exist shows the default.
    await hasItsOwnValue(known, () => features.evaluate({ key: data.id(), ...asked }).isDecided());
  },
);

scenario('evaluate a flag with default', { tag: ['@features', '@read'] }, async ({ features, data, fallsBack }) => {
  const contextData = data.context();
  const key = data.text();
  await fallsBack((fallback) => features.evaluate({ key, default: fallback, contextData }));
  // The second call has another default, and must return this default. A service that stores the first default under the key fails here.
  await fallsBack((fallback) => features.evaluate({ key, default: fallback, contextData }));
});
