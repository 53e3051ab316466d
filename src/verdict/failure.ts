import { type ConnectionFailure, curlLine, type Exchange } from '../http/index.ts';
import type { AreaId, CallableId } from '../service/index.ts';
import type { Category } from './category.ts';
import type { Grade } from './grade.ts';
import type { Verdict } from './verdicts.ts';

/** An answer, or the shape of a response, that was learned of an environment and no longer holds. */
export interface Drift {
  /** About the service, in one line: `Stories: love no longer shows at /loves (it did on 28 Nov)`. */
  readonly sentence: string;
  /** The new answer, the old one, and the requests that showed the old one. */
  readonly evidence: string;
  /** The questions whose answers a survey would accept. */
  readonly asked: readonly { readonly question: string; readonly operation: string }[];
  /** It breaks a consumer, or a credential is no longer checked: the operation is down, and not merely degraded. */
  readonly breaks: boolean;
  /** A response has another shape. A rare kind of response may look so once. */
  readonly isShape?: true;
}

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
  /** The learned answer or shape that no longer holds. */
  readonly drift?: Drift;
  /** The test itself may be fine: its clean-up failed, or it was not tried for what failed before. */
  readonly merely?: 'clean-up' | 'not tried';
  /** Something in front of the service answered, and no credential was judged: what can be done about it. */
  readonly frontDoor?: string;
  /** The key of the credential that was refused. */
  readonly credential?: string;
  /** The refusals of that credential, where the scenario was not tried because of them. */
  readonly refused?: Refused;
  /** An operation that would have to work first. */
  readonly needs?: CallableId | undefined;
  /** A change that was accepted and that a list doesn't show: it broke, and not the list. */
  readonly unseen?: { readonly change: CallableId; readonly list: CallableId };
  /** The team's values in the refused request, which may be gone: `STORY_ID=story-1`. */
  readonly given?: string;
  /** The address that accepts no connection, where nothing could be called. */
  readonly lost?: Pick<ConnectionFailure, 'phase' | 'code'> & {
    readonly origin: string;
    readonly areas: readonly AreaId[];
  };
  /** The friend sent the failing call or the change. */
  readonly isFriends?: true;
  /** The user that the service seems to take the friend for. */
  readonly stranger?: string;
  /** An operation whose documented request was refused, which fails nothing. */
  readonly unaccepted?: Unaccepted;
  /** The reason without the parts that differ each time, such as a quoted response; absent if the reason has none. */
  readonly gist?: string;
}

/** A refusal of a documented request. The run ends as `unknown` for it, unless the operation is accepted or fails elsewhere. */
export interface Unaccepted {
  readonly operation: CallableId;
  /** In words: `it refuses the avatar that the suite makes up (422)`. */
  readonly why: string;
  /** The key of the environment's file that would help, and what to do, in words. */
  readonly key?: string;
  readonly cure: string;
  /** Why the run can be judged without it: it was done before, or the team says that it can't have the operation proven. */
  readonly excuse?: 'done before' | 'MAY_BE_UNPROVEN';
}

/** The call that broke an expectation. */
export interface FailedCall {
  readonly operation: CallableId;
  readonly origin: string;
  readonly status?: number;
  /** The beginning of the response's body. */
  readonly body?: string;
  /** In place of a response. */
  readonly failure?: Pick<ConnectionFailure, 'phase' | 'reason'> & Partial<Pick<ConnectionFailure, 'code'>>;
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
    ...(failure ? { failure: { phase: failure.phase, code: failure.code, reason: failure.reason } } : {}),
    curl: curlLine(request),
  };
}
