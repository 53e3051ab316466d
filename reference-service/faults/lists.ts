import type { CallableId } from '../../src/spec/index.ts';
import type { Handler, Visit } from '../handler-request.ts';
import { type CataloguedFault, ofKind } from './kind.ts';
import { bodied } from './tamper.ts';

type Entry = { readonly userId: string; readonly blockedAt: string };

const entries = (change: (list: readonly Entry[]) => unknown) => bodied((body) => change(body as readonly Entry[]));

/** The complete, correct list of one direction. */
const whole = {
  listBlocked: ({ state }: Visit, userId: string) => state.blocks.blockedBy(userId, 0, 1_000),
  listBlockers: ({ state }: Visit, userId: string) => state.blocks.blockersOf(userId, 0, 1_000),
};

const opposite = { listBlocked: 'listBlockers', listBlockers: 'listBlocked' } as const;

/** Repeats the first response that a user got forever. */
const stale = (original: Handler): Handler => {
  const first = new Map<string, ReturnType<Handler>>();
  return (visit) => {
    const response = first.get(visit.userId) ?? original(visit);
    first.set(visit.userId, response);
    return response;
  };
};

/** Returns the last response of any user: a cache without the user in its key. */
const sharedCache = (original: Handler): Handler => {
  const held: { by?: string; response?: ReturnType<Handler> } = {};
  return (visit) => {
    if (held.response && held.by !== visit.userId) return held.response;
    held.by = visit.userId;
    held.response = original(visit);
    return held.response;
  };
};

function faultsOf(id: 'listBlocked' | 'listBlockers', row: number, says: string): CataloguedFault[] {
  const fault = (name: string, handle: CataloguedFault['handle']) => ({
    name: `${id}-${name}`,
    operation: id as CallableId,
    grade: 'documented' as const,
    breaks: `row ${row} and part 1: ${says}`,
    ...(handle ? { handle } : {}),
  });
  return ofKind('list', [
    fault(
      'is-always-empty',
      entries(() => []),
    ),
    fault(
      'stops-after-the-first',
      entries((list) => list.slice(0, 1)),
    ),
    fault(
      'leaves-the-first-out',
      entries((list) => list.slice(1)),
    ),
    fault(
      'leaves-the-last-out',
      entries((list) => list.slice(0, -1)),
    ),
    fault('never-changes', stale),
    fault('is-cached-for-all-users', sharedCache),
    fault('gives-the-other-direction', (original) => (visit) => ({
      ...original(visit),
      body: whole[opposite[id]](visit, visit.userId),
    })),
    fault('mixes-both-directions', (original) => (visit) => ({
      ...original(visit),
      body: [...whole[id](visit, visit.userId), ...whole[opposite[id]](visit, visit.userId)],
    })),
    fault('is-the-same-for-everybody', (original) => {
      const users = new Set<string>();
      return (visit) => {
        users.add(visit.userId);
        return { ...original(visit), body: [...users].flatMap((userId) => whole[id](visit, userId)) };
      };
    }),
    fault(
      'drops-the-ids',
      entries((list) => list.map(({ blockedAt }) => ({ blockedAt }))),
    ),
    fault(
      'gives-null-for-ids',
      entries((list) => list.map((entry) => ({ ...entry, userId: null }))),
    ),
    fault(
      'retypes-the-ids',
      entries((list) => list.map((entry) => ({ ...entry, userId: Number.parseInt(entry.userId.slice(-6), 16) }))),
    ),
    fault(
      'cuts-the-ids',
      entries((list) => list.map((entry) => ({ ...entry, userId: entry.userId.slice(0, 12) }))),
    ),
    fault(
      'answers-with-the-length',
      entries((list) => ({ count: list.length })),
    ),
  ]);
}

export const listFaults: readonly CataloguedFault[] = [
  ...faultsOf('listBlocked', 2, 'the caller lists the users whom the caller blocked'),
  ...faultsOf('listBlockers', 3, 'the caller lists the users who blocked the caller'),
  ...ofKind('list', [
    {
      name: 'listBlocked-repeats-every-entry',
      operation: 'listBlocked',
      grade: 'assumed',
      breaks: 'common sense: a list names each user once',
      handle: entries((list) => list.flatMap((entry) => [entry, entry])),
      survives:
        'No response has a documented shape: an id may appear twice in a correct one, e.g. as "latest" and in the list.',
    },
  ]),
];
