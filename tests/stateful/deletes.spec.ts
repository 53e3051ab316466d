import { deleteModel, scenario } from '../../fixtures/index.ts';

scenario('any order of deletes takes each item once', { tag: ['@storage', '@irreversible'] }, async ({ modelTest }) => {
  await modelTest(deleteModel('deleteItem'));
});
