import { type Handler, ok, type Visit } from '../handler-request.ts';
import { blockedBy } from '../state/index.ts';
import { ofKind } from './kind.ts';
import { forEarlierUsersToo, isBlocked, once } from './tamper.ts';

const listed = 'part 1 and row 2: the caller lists the users whom the caller blocked';
const listedBack = 'part 1 and row 3: the caller lists the users who blocked the caller';
const undone = 'part 1 and row 4: an unblocked user is no longer blocked';

type OfFriend = Visit<{ readonly friendId: string }>;

const blocked: Handler<OfFriend['args']> = ({ args }) => ok({ friendId: args.friendId, blocked: true });
const unblocked: Handler<OfFriend['args']> = ({ args }) => ok({ friendId: args.friendId, blocked: false });

const unblockAll = ({ state, userId }: OfFriend) => state.blocks.remove({ blocker: userId });
const theOtherWayRound = (visit: OfFriend): OfFriend => ({
  ...visit,
  userId: visit.args.friendId,
  args: { friendId: visit.userId },
});
const pairOf = ({ userId, args }: OfFriend) => `${userId} ${args.friendId}`;

export const blockFaults = ofKind('state', listed, {
  'block-not-written': () => blocked,
  'block-written-the-wrong-way-round': (original) => (visit) => original(theOtherWayRound(visit)),
  'block-written-both-ways-round': (original) => (visit) => {
    original(theOtherWayRound(visit));
    return original(visit);
  },
  'block-again-unblocks': (original) => (visit) => {
    const { userId, args, state } = visit;
    const wasBlocked = isBlocked(visit);
    const response = original(visit);
    if (wasBlocked) state.blocks.remove({ blocker: userId, blocked: args.friendId });
    return response;
  },
  'block-written-for-another-user': (original) => (visit) => original({ ...visit, userId: 'user-ada' }),
  'block-written-for-everybody-who-ever-blocked': forEarlierUsersToo((visit, original) => {
    if (visit.userId !== visit.args.friendId) original(visit);
  }),
  'block-keeps-only-the-last': (original) => (visit) => {
    unblockAll(visit);
    return original(visit);
  },
  'block-keeps-only-the-first': (original) => (visit) =>
    visit.state.blocks.find({ blocker: visit.userId }) ? blocked(visit) : original(visit),
  'block-works-once-for-each-friend': once(pairOf, blocked),
  'block-cuts-long-ids': (original) => (visit) =>
    original({ ...visit, args: { friendId: visit.args.friendId.slice(0, 16) } }),
  'block-writes-ids-in-upper-case': (original) => (visit) =>
    original({ ...visit, args: { friendId: visit.args.friendId.toUpperCase() } }),
  'unblock-does-nothing': { breaks: undone, handle: () => unblocked },
  'unblock-forgets-all': () => (visit) => {
    unblockAll(visit);
    return unblocked(visit);
  },
  'unblock-takes-back-the-newest': {
    breaks: undone,
    handle: (original) => (visit) => {
      const [newest] = blockedBy(visit.state, visit.userId);
      return original({ ...visit, args: { friendId: newest?.userId ?? visit.args.friendId } });
    },
  },
  'unblock-takes-back-the-other-side': {
    breaks: undone,
    handle: (original) => (visit) => original(theOtherWayRound(visit)),
  },
  'unblock-takes-back-both-sides': {
    breaks: listedBack,
    handle: (original) => (visit) => {
      original(theOtherWayRound(visit));
      return original(visit);
    },
  },
  'unblock-takes-the-friend-off-all-lists': (original) => (visit) => {
    visit.state.blocks.remove({ blocked: visit.args.friendId });
    return original(visit);
  },
  'unblock-works-once-for-each-friend': { breaks: undone, handle: once(pairOf, unblocked) },
});
