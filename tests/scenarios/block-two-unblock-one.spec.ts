import { expect, scenario } from '../../fixtures/index.ts';

scenario(
  'block two, then unblock one',
  { tag: ['@friends', '@reversible'] },
  async ({ friends, friend, stranger, defer }) => {
    // Both blocks are sent at once: a service that reads the stored list, changes it and writes it back would lose one block.
    const blocking = [friend, stranger].map(async ({ id }) => {
      await friends.block({ friendId: id }).succeeds();
      defer(() => friends.unblock({ friendId: id }).settles());
    });
    await Promise.all(blocking);
    await friends.listBlocked().eventually((list) => {
      expect(list, 'documented: the list mentions the first of two blocked users').toMention(friend.id);
      expect(list, 'documented: the list mentions the second of two blocked users').toMention(stranger.id);
    });

    await friends.unblock({ friendId: friend.id }).succeeds();
    await friends.listBlocked().eventually((list) => {
      expect(list, 'documented: unblocking one user leaves the other blocked').toMention(stranger.id);
      expect(list, 'documented: the list must no longer mention the user just unblocked').not.toMention(friend.id);
    });
  },
);

scenario(
  'block three, then unblock the one between',
  { tag: ['@friends', '@reversible'] },
  async ({ friends, friend, stranger, anotherStranger, defer }) => {
    const all = [stranger, friend, anotherStranger];
    for (const { id } of all) {
      await friends.block({ friendId: id }).succeeds();
      defer(() => friends.unblock({ friendId: id }).settles());
    }
    await friends.listBlocked().eventually((list) => {
      for (const { id } of all) expect(list, 'documented: the list mentions each of three blocked users').toMention(id);
    });
    await friends.unblock({ friendId: friend.id }).succeeds();
    await friends.listBlocked().eventually((list) => {
      expect(list, 'documented: unblocking one user leaves the one who was blocked before').toMention(stranger.id);
      expect(list, 'documented: unblocking one user leaves the one who was blocked after').toMention(
        anotherStranger.id,
      );
      expect(list, 'documented: the list must no longer mention the user just unblocked').not.toMention(friend.id);
    });
    await Promise.all([stranger, anotherStranger].map(({ id }) => friends.unblock({ friendId: id }).succeeds()));
  },
);

scenario(
  'a full page leaves nobody out',
  { tag: ['@friends', '@reversible'] },
  async ({ friends, friend, showsAll, defer }) => {
    await friends.block({ friendId: friend.id }).succeeds();
    defer(() => friends.unblock({ friendId: friend.id }).settles());
    // `pageOf(n)` returns the two numbers in the path for a page of n entries.
    await showsAll(friend, async (pageOf) => {
      const list = await friends
        .listBlocked()
        .eventually((shown) =>
          expect(shown, 'documented: the list mentions a friend just blocked').toMention(friend.id),
        );
      const page = await friends.listBlocked(pageOf(list.alike(friend.id).length)).isDecided();
      return { list, page };
    });
  },
);
