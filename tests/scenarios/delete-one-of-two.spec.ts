import { scenario } from '../../fixtures/index.ts';

scenario(
  'delete one of two items, then the other',
  { tag: ['@storage', '@irreversible'] },
  async ({ storage, storedItem, anotherStoredItem }) => {
    await storage.deleteItem(storedItem).succeeds();
    await storage
      .deleteItem(anotherStoredItem)
      .succeeds('documented: one item is deleted by its id, so the other is still there to be deleted');
  },
);
