import { scenario } from '../../fixtures/index.ts';

scenario('delete by id', { tag: ['@storage', '@irreversible'] }, async ({ storage, storedItem }) => {
  await storage.deleteItem(storedItem).succeeds();
  await storage.deleteItem(storedItem).repeats('assumed: deleting what is gone is no server error');
});
