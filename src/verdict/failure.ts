import { curlLine, type Exchange } from '../http/index.ts';
import type { AreaId, CallableId } from '../service/index.ts';
import type { Category } from './category.ts';
import type { Grade } from './grade.ts';
import type { Verdict } from './verdicts.ts';

/** One thing that kept a scenario from passing, without what only this process can use: reporters read it as JSON. */
export interface Failure {
  readonly verdict: Verdict;
  /** Its category in the report. */
  readonly category: Category;
  /** The grade of the expectation that broke; absent when none did. */
  readonly grade?: Grade;
  /** The expectation in words, without its grade, and what was observed instead. */
  readonly claim?: string;
  readonly observed?: string;
  /** The failure in one sentence, where claim and observation would read badly side by side. */
  readonly sentence?: string;
  /** Both in one sentence, or why the suite could not judge. */
  readonly reason: string;
  /** How the operation fails, in the same words for every operation that fails so: `answers 503`. */
  readonly ending?: string;
  /** The request was invalid on purpose. */
  readonly isInvalid?: true;
  readonly call?: FailedCall;
  /** The test itself may be fine: its clean-up failed, or it was not tried for what failed before. */
  readonly merely?: 'clean-up' | 'not tried';
  /** Something in front of the service answered, and no credential was judged: what can be done about it. */
  readonly frontDoor?: string;
  /** The key of the credential that was refused. */
  readonly credential?: string;
  /** The refusals of that credential, where the scenario was not tried because of them. */
  readonly refused?: Refused;
  /** An operation that would have to undo first. */
  readonly needs?: CallableId | undefined;
  /** A change that was accepted and that a list doesn't show: it broke, and not the list. */
  readonly unseen?: { readonly change: CallableId; readonly list: CallableId };
  /** The friend sent the failing call or the change. */
  readonly isFriends?: true;
  /** The user that the service seems to take the friend for. */
  readonly stranger?: string;
  /** The reason without the parts that differ each time, such as a quoted response; absent if the reason has none. */
  readonly gist?: string;
}

/** The call that broke an expectation. */
export interface FailedCall {
  readonly operation: CallableId;
  readonly origin: string;
  readonly status?: number;
  /** The beginning of the response's body. */
  readonly body?: string;
  /** In place of a response. */
  readonly failure?: { readonly phase: string; readonly reason: string };
  /** The request to repeat, with masked credentials. */
  readonly curl?: string;
}

/** Which statuses, areas and operations refused a credential, where it is given, and the first call that was refused. */
export interface Refused {
  readonly statuses: readonly number[];
  readonly areas: readonly AreaId[];
  readonly operations?: readonly CallableId[];
  readonly place?: string;
  readonly call?: FailedCall;
}

/** How much of a response's body a failure keeps, in characters. */
const BODY = 300;

export function callOf({ operation, request, response, failure }: Exchange): FailedCall {
  return {
    operation,
    origin: new URL(request.url).origin,
    ...(response ? { status: response.status, body: response.body.text.slice(0, BODY) } : {}),
    ...(failure ? { failure: { phase: failure.phase, reason: failure.reason } } : {}),
    curl: curlLine(request),
  };
}
