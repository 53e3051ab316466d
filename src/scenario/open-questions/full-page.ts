import { setTimeout as wait } from 'node:timers/promises';
import { Unproven } from '../../client/index.ts';
import { type OperationId, operationsWith } from '../../spec/index.ts';
import { callByName } from '../data/call-by-name.ts';
import type { WorldWithData } from '../data/data-values.ts';
import { probe } from '../specs/probe.ts';
import { asBefore } from './as-before.ts';

/** Parts of CONSISTENCY_TIMEOUT_MS before each look. */
const PAUSES = [0, 0.2, 0.8];

/**
 * Reads a list as a page of just as many entries as it has, which must be all there, where they ever were: what the two numbers mean is
 * open, and the larger one is taken for the size. @throws Unproven
 */
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
      const pauseMs = part * environment.consistencyTimeoutMs;
      await session.during(() => wait(pauseMs, undefined, session.context));
      seen = await read();
    }
    const { page, isFirst } = seen;
    asBefore(world).holds(page, { what: 'a full page', isFirst, words: ['complete', 'cut short'] });
    if (!isFirst)
      throw new Unproven(
        `what the two numbers of a list mean is not known; \`npx sextant survey --env ${environment.name}\` finds it out`,
      );
  });
}
