import { ok } from '../handler-request.ts';
import { forEarlierUsersToo, handle, ofKind } from './kind.ts';

const listed = 'part 1 and row 2: the caller lists the users whom the caller blocked';
const listedBack = 'part 1 and row 3: the caller lists the users who blocked the caller';
const undone = 'part 1 and row 4: an unblocked user is no longer blocked';

const blocked = (friendId: string) => ok({ friendId, blocked: true });
const unblocked = (friendId: string) => ok({ friendId, blocked: false });

/** More users than any test blocks. */
const ALL = 1_000;

export const blockFaults = ofKind('state', [
  {
    name: 'block-not-written',
    operation: 'block',
    grade: 'documented',
    breaks: listed,
    handle: handle<'block'>(
      () =>
        ({ args }) =>
          blocked(args.friendId),
    ),
  },
  {
    name: 'block-written-the-wrong-way-round',
    operation: 'block',
    grade: 'documented',
    breaks: listed,
    handle: handle<'block'>(
      (original) => (visit) => original({ ...visit, userId: visit.args.friendId, args: { friendId: visit.userId } }),
    ),
  },
  {
    name: 'block-written-both-ways-round',
    operation: 'block',
    grade: 'documented',
    breaks: listed,
    handle: handle<'block'>((original) => (visit) => {
      original({ ...visit, userId: visit.args.friendId, args: { friendId: visit.userId } });
      return original(visit);
    }),
  },
  {
    name: 'block-again-unblocks',
    operation: 'block',
    grade: 'documented',
    breaks: listed,
    handle: handle<'block'>((original) => (visit) => {
      const { userId, args, state } = visit;
      const isBlocked = state.blocks.blockedBy(userId, 0, ALL).some((entry) => entry.userId === args.friendId);
      const response = original(visit);
      if (isBlocked) state.blocks.remove(userId, args.friendId);
      return response;
    }),
  },
  {
    name: 'block-written-for-another-user',
    operation: 'block',
    grade: 'documented',
    breaks: listed,
    handle: handle<'block'>((original) => (visit) => original({ ...visit, userId: 'user-ada' })),
  },
  {
    name: 'block-written-for-everybody-who-ever-blocked',
    operation: 'block',
    grade: 'documented',
    breaks: listed,
    handle: forEarlierUsersToo<'block'>((visit, original) => {
      if (visit.userId !== visit.args.friendId) original(visit);
    }),
  },
  {
    name: 'block-keeps-only-the-last',
    operation: 'block',
    grade: 'documented',
    breaks: listed,
    handle: handle<'block'>((original) => (visit) => {
      const { state, userId } = visit;
      for (const entry of state.blocks.blockedBy(userId, 0, ALL)) state.blocks.remove(userId, entry.userId);
      return original(visit);
    }),
  },
  {
    name: 'block-keeps-only-the-first',
    operation: 'block',
    grade: 'documented',
    breaks: listed,
    handle: handle<'block'>(
      (original) => (visit) =>
        visit.state.blocks.blockedBy(visit.userId, 0, ALL).length > 0 ? blocked(visit.args.friendId) : original(visit),
    ),
  },
  {
    name: 'block-works-once-for-each-friend',
    operation: 'block',
    grade: 'documented',
    breaks: listed,
    handle: handle<'block'>((original) => {
      const done = new Set<string>();
      return (visit) => {
        const pair = `${visit.userId} ${visit.args.friendId}`;
        if (done.has(pair)) return blocked(visit.args.friendId);
        done.add(pair);
        return original(visit);
      };
    }),
  },
  {
    name: 'block-cuts-long-ids',
    operation: 'block',
    grade: 'documented',
    breaks: listed,
    handle: handle<'block'>(
      (original) => (visit) => original({ ...visit, args: { friendId: visit.args.friendId.slice(0, 16) } }),
    ),
  },
  {
    name: 'block-writes-ids-in-upper-case',
    operation: 'block',
    grade: 'documented',
    breaks: listed,
    handle: handle<'block'>(
      (original) => (visit) => original({ ...visit, args: { friendId: visit.args.friendId.toUpperCase() } }),
    ),
  },
  {
    name: 'unblock-does-nothing',
    operation: 'unblock',
    grade: 'documented',
    breaks: undone,
    handle: handle<'unblock'>(
      () =>
        ({ args }) =>
          unblocked(args.friendId),
    ),
  },
  {
    name: 'unblock-forgets-all',
    operation: 'unblock',
    grade: 'documented',
    breaks: listed,
    handle: handle<'unblock'>(() => ({ state, userId, args }) => {
      for (const entry of state.blocks.blockedBy(userId, 0, ALL)) state.blocks.remove(userId, entry.userId);
      return unblocked(args.friendId);
    }),
  },
  {
    name: 'unblock-takes-back-the-newest',
    operation: 'unblock',
    grade: 'documented',
    breaks: undone,
    handle: handle<'unblock'>((original) => (visit) => {
      const [newest] = visit.state.blocks.blockedBy(visit.userId, 0, 1);
      return original({ ...visit, args: { friendId: newest?.userId ?? visit.args.friendId } });
    }),
  },
  {
    name: 'unblock-takes-back-the-other-side',
    operation: 'unblock',
    grade: 'documented',
    breaks: undone,
    handle: handle<'unblock'>(
      (original) => (visit) => original({ ...visit, userId: visit.args.friendId, args: { friendId: visit.userId } }),
    ),
  },
  {
    name: 'unblock-takes-back-both-sides',
    operation: 'unblock',
    grade: 'documented',
    breaks: listedBack,
    handle: handle<'unblock'>((original) => (visit) => {
      original({ ...visit, userId: visit.args.friendId, args: { friendId: visit.userId } });
      return original(visit);
    }),
  },
  {
    name: 'unblock-takes-the-friend-off-all-lists',
    operation: 'unblock',
    grade: 'documented',
    breaks: listed,
    handle: handle<'unblock'>((original) => (visit) => {
      const { state, args } = visit;
      for (const entry of state.blocks.blockersOf(args.friendId, 0, ALL))
        state.blocks.remove(entry.userId, args.friendId);
      return original(visit);
    }),
  },
  {
    name: 'unblock-works-once-for-each-friend',
    operation: 'unblock',
    grade: 'documented',
    breaks: undone,
    handle: handle<'unblock'>((original) => {
      const done = new Set<string>();
      return (visit) => {
        const pair = `${visit.userId} ${visit.args.friendId}`;
        if (done.has(pair)) return unblocked(visit.args.friendId);
        done.add(pair);
        return original(visit);
      };
    }),
  },
]);
