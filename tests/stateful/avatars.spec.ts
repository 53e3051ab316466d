import { saveModel, scenario } from '../../fixtures/index.ts';

scenario('any order of avatar saves is done', { tag: ['@profile', '@overwriting'] }, async ({ modelTest }) => {
  await modelTest(saveModel('saveAvatar'));
});
