import { scenario } from '../../fixtures/index.ts';

scenario('delete by id', { tag: ['@storage', '@irreversible'] }, async ({ storage, deletesItems, asBefore }) => {
  const [item] = await deletesItems(1);
  const again = await storage
    .deleteItem({ id: item?.id ?? '' })
    .repeats('assumed: deleting what is gone is no server error');
  asBefore.refuses(again, 'what is gone');
});

scenario(
  'an item of another user is left to its owner',
  { tag: ['@storage', '@irreversible'] },
  async ({ storage, asStranger, storedItem, asBefore }) => {
    const response = await asStranger.storage.deleteItem({ id: storedItem.id }).isDecided();
    asBefore.refuses(response, 'an item of another user');
    const own = storage.deleteItem(storedItem);
    await (response.isRefusal ? own.succeeds('documented: a stored item is deleted by its id') : own.isAcceptedToo());
  },
);

scenario(
  'delete one of two items, then the other',
  { tag: ['@storage', '@irreversible'] },
  async ({ deletesItems }) => {
    await deletesItems(2, 'documented: one item is deleted by its id, so the other is still there to be deleted');
  },
);
