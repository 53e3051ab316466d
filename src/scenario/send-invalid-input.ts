import type { ApiResponse, Call, Claim } from '../client/index.ts';
import { type CallableId, type OperationId, operation } from '../spec/index.ts';
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

/** Sends odd things; whatever the service took of them is taken back by the same arguments. */
export function attempts(call: CallByName, defer: Deferred['defer']) {
  return async (id: OperationId, { what, args, change = (made) => made }: Odd): Promise<ApiResponse> => {
    const { undo } = operation(id);
    const claim: Claim = `assumed: ${id} copes with ${what}`;
    const answer = await change(call(id, args)).copes(claim);
    if (undo && !answer.isRefusal) defer(() => call(undo as CallableId, args).settles());
    return answer;
  };
}
