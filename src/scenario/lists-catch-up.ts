import { setTimeout as wait } from 'node:timers/promises';
import { areaClient } from '../client/index.ts';
import type { WorldWithData } from './data-values.ts';
import { expect } from './expect.ts';
import { Skipped } from './skip.ts';

/**
 * Waits until the caller's list shows what was done before now: until it shows a block that is made for that, or, where no other user
 * can be blocked, for as long as a list may lag.
 */
export function listsCatchUp(world: WorldWithData) {
  return async function catchUp(): Promise<void> {
    const session = await world.session();
    const friends = areaClient(session, 'friends');
    const { id } = await world.value('stranger').catch((error: unknown) => {
      if (error instanceof Skipped) return { id: undefined };
      throw error;
    });
    const marker = id === undefined ? undefined : await friends.block({ friendId: id }).isDecided();
    if (id === undefined || !marker || marker.isRefusal) {
      await session.during(() => wait(world.environment.consistencyTimeoutMs, undefined, session.context));
      // A cache may show what it has once more, and look for news then.
      await friends.listBlocked().succeeds();
      return;
    }
    world.defer(() => friends.unblock({ friendId: id }).settles());
    await friends
      .listBlocked()
      .eventually((list) => expect(list, 'documented: the list mentions a friend just blocked').toMention(id));
    await friends.unblock({ friendId: id }).succeeds();
  };
}
