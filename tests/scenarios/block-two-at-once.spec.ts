import { expect, scenario } from '../../fixtures/index.ts';

scenario(
  'block two at once, then unblock both at once',
  { tag: ['@friends', '@reversible'] },
  async ({ friends, friend, stranger, defer }) => {
    const both = [friend, stranger];
    for (const { id } of both) defer(() => friends.unblock({ friendId: id }).settles());
    await Promise.all(both.map(({ id }) => friends.block({ friendId: id }).succeeds()));
    await friends.listBlocked().eventually((list) => {
      for (const { id } of both)
        expect(list, 'documented: the list mentions each user who was blocked, at once or not').toMention(id);
    });

    await Promise.all(both.map(({ id }) => friends.unblock({ friendId: id }).succeeds()));
    await friends.listBlocked().eventually((list) => {
      for (const { id } of both)
        expect(list, 'documented: the list mentions none who was unblocked, at once or not').not.toMention(id);
    });
  },
);
