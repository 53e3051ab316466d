import { scenario } from '../../fixtures/index.ts';

scenario('delete by id', { tag: ['@storage', '@irreversible'] }, async ({ storage, storedItem, asBefore }) => {
  await storage.deleteItem(storedItem).succeeds();
  const again = await storage.deleteItem(storedItem).repeats('assumed: deleting what is gone is no server error');
  asBefore.refuses(again, 'what is gone');
});
