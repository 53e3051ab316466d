import { setTimeout as wait } from 'node:timers/promises';
import { type OperationId, operationsWith, requestFields } from '../../spec/index.ts';
import { callByName } from '../data/call-by-name.ts';
import type { WorldWithData } from '../data/data-values.ts';
import { expect } from '../specs/expect.ts';
import { Skipped } from '../specs/skip.ts';

/**
 * Waits until the caller's list shows what was done before now: until it shows a change that is made for that, or, where it can be made
 * for no other user, for as long as a list may lag.
 */
export async function listsCatchUp(world: WorldWithData) {
  const session = await world.session();
  const call = callByName(session);
  const [change] = operationsWith('shownBy');
  if (!change) throw new Error('unreachable: the specification has no change that a list shows');
  const [list, undo] = [change.shownBy, change.undo] as [OperationId, OperationId];
  const [field = ''] = requestFields(change);
  return async function catchUp(): Promise<void> {
    const { id } = await world.value('stranger').catch((error: unknown) => {
      if (error instanceof Skipped) return { id: undefined };
      throw error;
    });
    const marker = id === undefined ? undefined : await call(change.id, { [field]: id }).isDecided();
    if (id === undefined || !marker || marker.isRefusal) {
      await session.during(() => wait(world.environment.consistencyTimeoutMs, undefined, session.context));
      // A cache may show what it has once more, and look for news then.
      await call(list, undefined).succeeds();
      return;
    }
    world.defer(() => call(undo, { [field]: id }).settles());
    await call(list, undefined).eventually((shown) =>
      expect(shown, 'documented: the list mentions what was just added').toMention(id),
    );
    await call(undo, { [field]: id }).succeeds();
  };
}
