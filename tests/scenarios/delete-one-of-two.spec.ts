import { scenario } from '../../fixtures/index.ts';

scenario(
  'delete one of two items, then the other',
  { tag: ['@storage', '@irreversible'] },
  async ({ storage, storedItem, anotherStoredItem }) => {
    await storage.deleteItem({ id: storedItem.id }).succeeds();
    await storage
      .deleteItem({ id: anotherStoredItem.id })
      .succeeds('documented: one item is deleted by its id, so the other is still there to be deleted');
  },
);
