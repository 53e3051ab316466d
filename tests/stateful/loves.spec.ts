import { scenario, setModel } from '../../fixtures/index.ts';

scenario('any order of loves and unloves is done', { tag: ['@stories', '@reversible'] }, async ({ modelTest }) => {
  await modelTest(setModel('love'));
});
