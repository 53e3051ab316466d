import { type ApiResponse, type Call, type Claim, undoArguments } from '../client/index.ts';
import { type CallableId, type Operation, type OperationId, operation } from '../spec/index.ts';
import type { CallByName } from './call-by-name.ts';
import type { Deferred } from './defer.ts';

/** Something odd to send. */
export interface Odd {
  /** What is odd about it, for messages. */
  readonly what: string;
  /** A body `asIs`, or path parameters. */
  readonly args: unknown;
  /** What else is done to the call. */
  readonly change?: (call: Call) => Call;
}

/**
 * Declares the undo of an operation that may have been carried out although it should not have been. Where what it
 * changes can't be read from its arguments, they are sent as they are.
 */
export function takeBack(call: CallByName, defer: Deferred['defer']) {
  return (entry: Operation, args: unknown): void => {
    const { undo } = entry;
    if (undo) defer(() => call(undo as CallableId, (undoArguments(entry, args) ?? { args }).args).settles());
  };
}

/** Sends odd things; whatever the service took of them is taken back. */
export function attempts(call: CallByName, defer: Deferred['defer']) {
  return async (id: OperationId, { what, args, change = (made) => made }: Odd): Promise<ApiResponse> => {
    const claim: Claim = `assumed: ${id} handles ${what}`;
    const answer = await change(call(id, args)).copes(claim);
    if (!answer.isRefusal) takeBack(call, defer)(operation(id), args);
    return answer;
  };
}
