import { type ApiResponse, type Call, type Claim, undoArguments } from '../../client/index.ts';
import { type CallableId, type Operation, type OperationId, operation } from '../../spec/index.ts';
import type { CallByName } from './call-by-name.ts';
import type { Deferred } from './world-basis.ts';

/** Invalid input for an operation. */
export interface InvalidInput {
  /** A description of the mistake, for messages. */
  readonly what: string;
  /** A `rawBody`, or path parameters. */
  readonly args: unknown;
  /** Further changes to the call. */
  readonly change?: (call: Call) => Call;
}

/**
 * Declares the undo of an operation that may have been carried out although it should have been rejected. If the undo
 * can't be derived from its arguments, they are sent unchanged.
 */
export function deferUndo(call: CallByName, defer: Deferred['defer']) {
  return (entry: Operation, args: unknown): void => {
    const { undo } = entry;
    if (undo) defer(() => call(undo as CallableId, (undoArguments(entry, args) ?? { args }).args).settles());
  };
}

/** Sends invalid input, and undoes whatever the service accepted. */
export function invalidInputSender(call: CallByName, defer: Deferred['defer']) {
  return async (id: OperationId, { what, args, change = (made) => made }: InvalidInput): Promise<ApiResponse> => {
    const claim: Claim = `assumed: ${id} handles ${what}`;
    const response = await change(call(id, args)).isHandled(claim);
    if (!response.isRefusal) deferUndo(call, defer)(operation(id), args);
    return response;
  };
}
