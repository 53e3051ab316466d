import { scenario } from '../../fixtures/index.ts';

scenario('delete by id', { tag: ['@storage', '@irreversible'] }, async ({ storage, storedItems }) => {
  await storedItems(1, async (item) => {
    await storage.deleteItem(item).succeeds();
    await storage.deleteItem(item).repeats('assumed: deleting a deleted item is no server error');
  });
});

scenario(
  'an item of another user is left to its owner',
  { tag: ['@storage', '@irreversible'] },
  async ({ storage, asStranger, storedItem, facts }) => {
    const response = await asStranger.storage.deleteItem({ id: storedItem.id }).isDecided();
    facts.holds(response, { question: 'foreign-item', answer: response.isRefusal ? 'refused' : 'accepted' });
    // If the service accepted the other user's deletion, the item may be gone. Then a refusal of the owner's deletion proves nothing.
    const own = storage.deleteItem(storedItem);
    await (response.isRefusal ? own.succeeds('documented: a stored item is deleted by its id') : own.isAcceptedToo());
  },
);

scenario(
  'delete one of two items, then the other',
  { tag: ['@storage', '@irreversible'] },
  async ({ storage, storedItems }) => {
    await storedItems(2, async (item, other) => {
      await storage.deleteItem(item).succeeds();
      await storage
        .deleteItem(other)
        .succeeds('documented: deleting one item leaves the other, so that it can be deleted, too');
    });
  },
);
