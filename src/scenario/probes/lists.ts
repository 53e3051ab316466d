import { setTimeout as wait } from 'node:timers/promises';
import type { Call, Session } from '../../client/index.ts';
import { type OperationId, operationsWith, requestFields } from '../../spec/index.ts';
import type { WorldWithData } from '../data/data-values.ts';
import { type CallByName, callByName } from '../data/world-basis.ts';
import { asBefore } from '../open-questions/as-before.ts';
import { expect } from '../specs/expect.ts';
import { probe } from '../specs/probe.ts';
import { Skipped } from '../specs/tags.ts';

function listedChange(call: CallByName) {
  const [change] = operationsWith('shownBy');
  if (!change) throw new Error('unreachable: the specification has no change that a list shows');
  const [field = ''] = requestFields(change);
  const [list, undo] = [change.shownBy, change.undo] as [OperationId, OperationId];
  return {
    make: (id: string) => call(change.id, { [field]: id }),
    undo: (id: string) => call(undo, { [field]: id }),
    list: () => call(list, undefined),
  };
}

function pause(session: Session, ms: number): Promise<void> {
  return session.during(() => wait(ms, undefined, session.context));
}

/** As long as what is read may lag behind a change. */
export async function settling(world: WorldWithData) {
  const session = await world.session();
  return () => pause(session, world.environment.consistencyTimeoutMs);
}

/** Blocks a user with the spec's own client, sees them on the list, and unblocks them: that they are not there later will be no accident. */
export function seenWhileBlocked(world: WorldWithData) {
  return probe(world, 'a change is shown, and undone', async (client: object, { id }: { readonly id: string }) => {
    const operations = client as Readonly<Record<string, (args: unknown) => Call>>;
    const { make, undo, list } = listedChange((name, args) => operations[name]?.(args) as Call);
    await make(id).succeeds();
    world.defer(() => undo(id).settles());
    await list().eventually((shown) =>
      expect(shown, 'documented: the list mentions a friend just blocked').toMention(id),
    );
    await undo(id).succeeds();
    await list().eventually((shown) =>
      expect(shown, 'documented: the list no longer mentions a friend just unblocked').not.toMention(id),
    );
  });
}

/** Until the list shows a change that is made for that, or, where none can be made, for as long as a list may lag. */
export async function listsCatchUp(world: WorldWithData) {
  const session = await world.session();
  const { make, undo, list } = listedChange(callByName(session));
  return async function catchUp(): Promise<void> {
    const { id } = await world.value('stranger').catch((error: unknown) => {
      if (error instanceof Skipped) return { id: undefined };
      throw error;
    });
    const marker = id === undefined ? undefined : await make(id).isDecided();
    if (id === undefined || !marker || marker.isRefusal) {
      await pause(session, world.environment.consistencyTimeoutMs);
      // A cache may show what it has once more, and look for news then.
      await list().succeeds();
      return;
    }
    world.defer(() => undo(id).settles());
    await list().eventually((shown) =>
      expect(shown, 'documented: the list mentions what was just added').toMention(id),
    );
    await undo(id).succeeds();
  };
}

/** Parts of CONSISTENCY_TIMEOUT_MS before each look. */
const PAUSES = [0, 0.2, 0.8];

/** A page of as many entries as a list has must be complete, where it ever was; the larger number is taken for the size. */
export async function fullPage(world: WorldWithData) {
  const [listed] = operationsWith('shownBy');
  if (!listed) throw new Error('unreachable: the specification has a change that a list shows');
  const { environment } = world;
  const session = await world.session();
  const call = callByName(session);
  const segments = environment.blockListSegments;
  const size = Number(segments.n1) > Number(segments.n2) ? 'n1' : 'n2';
  return probe(world, 'a page that is full is complete', async ({ id }: { readonly id: string }) => {
    const read = async () => {
      const count = (await call(listed.shownBy as OperationId, segments).succeeds()).alike(id).length;
      const page = await call(listed.shownBy as OperationId, { ...segments, [size]: String(count) }).isDecided();
      return { page, isFirst: count > 0 && page.alike(id).length === count };
    };
    let seen = await read();
    for (const part of PAUSES) {
      if (seen.isFirst) break;
      await pause(session, part * environment.consistencyTimeoutMs);
      seen = await read();
    }
    const { page, isFirst } = seen;
    const otherwise = `what the two numbers of a list mean is not known; \`npx sextant survey --env ${environment.name}\` finds it out`;
    asBefore(world).holds(page, { what: 'a full page', isFirst, words: ['complete', 'cut short'], otherwise });
  });
}
