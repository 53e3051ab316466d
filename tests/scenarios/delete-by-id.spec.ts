import { scenario } from '../../fixtures/index.ts';

scenario('delete by id', { tag: ['@storage', '@irreversible'] }, async ({ storage, storedItem }) => {
  await storage.deleteItem({ id: storedItem.id }).succeeds();
  await storage.deleteItem({ id: storedItem.id }).repeats('assumed: deleting what is gone is no server error');
});
