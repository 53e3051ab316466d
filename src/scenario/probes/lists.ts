import { setTimeout as wait } from 'node:timers/promises';
import type { Call, Session } from '../../call/index.ts';
import { Unproven } from '../../verdict/index.ts';
import { strangerOf } from '../data/data-values.ts';
import { type CallByName, callByName, type WorldBasis } from '../data/world-basis.ts';
import { expect } from '../specs/expect.ts';
import { failed, probe } from '../specs/probe.ts';
import { Skipped } from '../specs/tags.ts';

function listedChange(call: CallByName) {
  return {
    make: (friendId: string) => call('block', { friendId }),
    undo: (friendId: string) => call('unblock', { friendId }),
    list: () => call('listBlocked', undefined),
  };
}

function pause(session: Session, ms: number): Promise<void> {
  return session.during(() => wait(ms, undefined, session.context));
}

/** As long as what is read may lag behind a change. */
export async function settling(world: WorldBasis) {
  const session = await world.session();
  return () => pause(session, world.environment.consistencyTimeoutMs);
}

/** Blocks a user with the spec's own client, sees them on the list, and unblocks them: that they are not there later will be no accident. */
export function seenWhileBlocked(world: WorldBasis) {
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
      expect(shown, 'documented: the list must no longer mention a friend just unblocked').not.toMention(id),
    );
  });
}

/** Until the list shows a change that is made for that, or, where none can be made, for as long as a list may lag. */
export async function listsCatchUp(world: WorldBasis) {
  const session = await world.session();
  const { make, undo, list } = listedChange(callByName(session));
  return async function catchUp(): Promise<void> {
    const { id } = await strangerOf(world).catch((error: unknown) => {
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

/**
 * A page of as many entries as a list has must be complete. The larger number counts as the size, unless a fact
 * says what the two mean.
 */
export async function fullPage(world: WorldBasis) {
  const { environment, facts } = world;
  const session = await world.session();
  const call = callByName(session);
  const segments = environment.blockListSegments;
  const meaning = facts.answer('paging', 'listBlocked');
  const size = sizeSegment(meaning) ?? (Number(segments.n1) > Number(segments.n2) ? 'n1' : 'n2');
  return probe(world, 'a page that is full is complete', async ({ id }: { readonly id: string }) => {
    const read = async () => {
      const count = (await call('listBlocked', segments).succeeds()).alike(id).length;
      const page = await call('listBlocked', { ...segments, [size]: String(count) }).isDecided();
      return { page, count, found: page.alike(id).length };
    };
    let seen = await read();
    for (const part of PAUSES) {
      if (seen.count > 0 && seen.found === seen.count) return;
      await pause(session, part * environment.consistencyTimeoutMs);
      seen = await read();
    }
    if (seen.count > 0 && seen.found === seen.count) return;
    if (sizeSegment(meaning) && seen.count > 0)
      throw failed(
        seen.page,
        'assumed: a page of as many entries as the list has shows all of them',
        `${seen.found} of ${seen.count} (${meaning})`,
      );
    if (sizeSegment(meaning))
      throw facts.unjudged('paging', 'listBlocked', 'the list shows no entry that could be counted');
    throw new Unproven(
      `what the two numbers of a list mean is not known; \`${facts.surveyCommand('paging', 'listBlocked')}\` finds it out`,
    );
  });
}

/** The number that is the size of a page, by the fact about paging; `undefined` where neither is. */
function sizeSegment(meaning: string | undefined): 'n1' | 'n2' | undefined {
  if (/^(offset\/limit|page\/size)/.test(meaning ?? '')) return 'n2';
  return /^(limit\/offset|size\/page)/.test(meaning ?? '') ? 'n1' : undefined;
}
