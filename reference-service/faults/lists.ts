import type { Visit } from '../handler-request.ts';
import type { Reply } from '../json-server.ts';
import { blockedBy, blockersOf } from '../state/index.ts';
import type { Fault } from './fault-switch.ts';
import { ofKind } from './kind.ts';
import { bodied, everyThird, type MakeAnyHandler, onSome, stale } from './tamper.ts';

type Entry = { readonly userId: string; readonly blockedAt: string };

const entries = bodied<readonly Entry[]>;
const eachEntry = (change: (entry: Entry) => unknown) => entries((list) => list.map(change));

/** The correct, complete lists: the users whom the caller blocked, and the users who blocked the caller. */
const whole = {
  listBlocked: ({ state, userId }: Visit) => blockedBy(state, userId),
  listBlockers: ({ state, userId }: Visit) => blockersOf(state, userId),
};

const opposite = { listBlocked: 'listBlockers', listBlockers: 'listBlocked' } as const;

/** Gives a user the response that another user got, like a cache whose key lacks the user. */
const sharedCache: MakeAnyHandler = (original) => {
  const held: { by?: string; response?: Reply } = {};
  return (visit) => {
    if (held.response && held.by !== visit.userId) return held.response;
    held.by = visit.userId;
    held.response = original(visit);
    return held.response;
  };
};

function faultsOf(id: keyof typeof whole, sentence: string) {
  const table: Readonly<Record<string, MakeAnyHandler | Pick<Fault, 'respond'>>> = {
    'is-always-empty': entries(() => []),
    'stops-after-the-first': entries((list) => list.slice(0, 1)),
    'leaves-the-first-out': entries((list) => list.slice(1)),
    'leaves-the-last-out': entries((list) => list.slice(0, -1)),
    'never-changes': (original) => stale(original, ({ userId }) => userId),
    'is-cached-for-all-users': sharedCache,
    'gives-the-other-direction': (original) => (visit) => ({ ...original(visit), body: whole[opposite[id]](visit) }),
    'mixes-both-directions': (original) => (visit) => ({
      ...original(visit),
      body: [...whole[id](visit), ...whole[opposite[id]](visit)],
    }),
    'is-the-same-for-everybody': (original) => {
      const users = new Set<string>();
      return (visit) => {
        users.add(visit.userId);
        return { ...original(visit), body: [...users].flatMap((userId) => whole[id]({ ...visit, userId })) };
      };
    },
    'drops-the-ids': eachEntry(({ blockedAt }) => ({ blockedAt })),
    'gives-null-for-ids': eachEntry((entry) => ({ ...entry, userId: null })),
    'retypes-the-ids': eachEntry((entry) => ({ ...entry, userId: Number.parseInt(entry.userId.slice(-6), 16) })),
    'cuts-the-ids': eachEntry((entry) => ({ ...entry, userId: entry.userId.slice(0, 12) })),
    'is-empty-now-and-then': { respond: onSome(everyThird, { body: '[]' }) },
    'answers-with-the-length': entries((list) => ({ count: list.length })),
  };
  const named = Object.entries(table).map(([name, handle]) => [`${id}-${name}`, handle] as const);
  return ofKind('list', sentence, Object.fromEntries(named));
}

export const listFaults = [
  ...faultsOf('listBlocked', 'row 2 and part 1: the caller lists the users whom the caller blocked'),
  ...faultsOf('listBlockers', 'row 3 and part 1: the caller lists the users who blocked the caller'),
  ...ofKind('list', 'common sense: a list names each user once', {
    'listBlocked-stops-after-two': {
      breaks: 'row 2 and part 1: the caller lists the users whom the caller blocked',
      handle: entries((list) => list.slice(0, 2)),
    },
    'listBlocked-repeats-every-entry': {
      handle: entries((list) => list.flatMap((entry) => [entry, entry])),
      survives:
        'No response has a documented shape: an id may appear twice in a correct one, e.g. as "latest" and in the list.',
    },
  }),
];
