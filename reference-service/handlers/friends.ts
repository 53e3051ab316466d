import type { CallArguments } from '../../src/spec/index.ts';
import { assumed } from '../assumptions/values.ts';
import { type Handler, ok, type Visit } from '../handler-request.ts';
import { Refusal } from '../refusal.ts';
import { blockedBy, blockersOf } from '../state/index.ts';

type Reference = CallArguments<'block'>;
type Segments = CallArguments<'listBlocked'>;

export const block: Handler<Reference> = ({ state, userId, args, now }) => {
  if (args.friendId === userId) throw new Refusal(assumed.invalidBody, 'self_reference', 'nobody can block themselves');
  state.blocks.add({ blocker: userId, blocked: args.friendId, at: now.toISOString() });
  return ok({ friendId: args.friendId, blocked: true });
};

export const unblock: Handler<Reference> = ({ state, userId, args }) => {
  state.blocks.remove({ blocker: userId, blocked: args.friendId });
  return ok({ friendId: args.friendId, blocked: false });
};

export const listBlocked: Handler<Segments> = ({ state, userId, args }) => ok(blockedBy(state, userId, ...page(args)));

export const listBlockers: Handler<Segments> = ({ state, userId, args }) =>
  ok(blockersOf(state, userId, ...page(args)));

/** The two path segments as offset and limit. */
function page({ n1, n2 }: Visit<Segments>['args']): [offset: number, limit: number] {
  if (![n1, n2].every((segment) => /^\d{1,9}$/.test(segment))) {
    throw new Refusal(
      assumed.invalidBody,
      'invalid_page',
      'the two path segments are offset and limit, both whole numbers',
    );
  }
  return [Number(n1), Math.min(Number(n2), assumed.pageCap)];
}
