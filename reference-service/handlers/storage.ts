import type { CallArguments } from '../../src/spec/index.ts';
import { assumed } from '../assumptions/values.ts';
import type { Handler } from '../handler-request.ts';
import { Refusal } from '../refusal.ts';

export const deleteItem: Handler<CallArguments<'deleteItem'>> = ({ state, userId, args }) => {
  // Another user's item is "not found" too: a different response would disclose that it exists.
  if (state.items.ownerOf(args.id) !== userId)
    throw new Refusal(assumed.notFound, 'unknown_item', 'there is no such item');
  state.items.remove(args.id);
  return { status: 204 };
};
