import { type ConnectionFailure, curlLine, type Exchange } from '../http/index.ts';
import type { AreaId, CallableId } from '../service/index.ts';
import type { Category } from './category.ts';
import type { Grade } from './grade.ts';
import type { Verdict } from './verdicts.ts';

/** A learned answer to a question, or a learned shape of a response, that no longer holds in an environment. */
export interface Drift {
  /** One line about the service: `Stories: love no longer shows at /loves (it did on 28 Nov)`. */
  readonly sentence: string;
  /** The new answer, the old one, and the requests that showed the old one. */
  readonly evidence: string;
  /** The questions whose new answers `survey --update` would accept. */
  readonly asked: readonly { readonly question: string; readonly operation: string }[];
  /** True if the drift breaks a consumer, or if a credential is no longer checked. Then the operation is down, not only degraded. */
  readonly breaks: boolean;
  /** True if only the shape of a response differs. This may happen just once, because a rare kind of response can have another shape. */
  readonly isShape?: true;
}

/** One reason why a scenario did not pass. It consists of plain data, because reporters read it as JSON. */
export interface Failure {
  readonly verdict: Verdict;
  /** Category of the failure in the report. */
  readonly category: Category;
  /** The grade of the expectation that broke; absent if no expectation broke. */
  readonly grade?: Grade;
  /** The expectation in words, without its grade; `observed` says what was observed instead. */
  readonly claim?: string;
  readonly observed?: string;
  /** The failure in one sentence, if claim and observation would read badly next to each other. */
  readonly sentence?: string;
  /** Claim and observation in one sentence, or why the suite could not judge. */
  readonly reason: string;
  /** How the operation fails, in the same words for every operation that fails in this way: `answers 503`. */
  readonly ending?: string;
  /** The request was invalid on purpose. */
  readonly isInvalid?: true;
  readonly call?: FailedCall;
  /** The learned answer or shape that no longer holds. */
  readonly drift?: Drift;
  /** The test itself may be fine, because only its clean-up failed, or because it was not tried after an earlier failure. */
  readonly merely?: 'clean-up' | 'not tried';
  /** The advice to the user if a proxy or firewall responded instead of the service. In that case no credential was judged. */
  readonly frontDoor?: string;
  /** The key of the credential that was refused. */
  readonly credential?: string;
  /** The earlier refusals of `credential`, if the scenario was not tried because of them. */
  readonly refused?: Refused;
  /** An operation that must work before this failure can be judged. */
  readonly needs?: CallableId | undefined;
  /** An accepted change that a list doesn't show. The change is broken, not the list. */
  readonly unseen?: { readonly change: CallableId; readonly list: CallableId };
  /** The team's values in the failed request: `STORY_ID=story-1`. The things that they name may no longer exist. */
  readonly given?: string;
  /** The address that accepts no connection, if the scenario could therefore make no call at all. */
  readonly lost?: Pick<ConnectionFailure, 'phase' | 'code'> & {
    readonly origin: string;
    readonly areas: readonly AreaId[];
  };
  /** True if the friend, not the caller, sent the failing call or the change that a list doesn't show. */
  readonly isFriends?: true;
  /** Another user, if the service seems to treat the friend as that user. */
  readonly stranger?: string;
  /** An operation that refused its documented request. The refusal alone fails no scenario. */
  readonly unaccepted?: Unaccepted;
  /** The reason without the parts that differ each time, such as a quoted response; absent if the reason has no such parts. */
  readonly gist?: string;
}

/** A refusal of a documented request. It makes the run `unknown`, unless another request of the operation is accepted or fails. */
export interface Unaccepted {
  readonly operation: CallableId;
  /** The reason in words: `it refuses the avatar that the suite makes up (422)`. */
  readonly why: string;
  /** The key of the environment's file whose value may make the service accept the request. `cure` says in words what to do. */
  readonly key?: string;
  readonly cure: string;
  /** Why the run can be judged without the operation: the change was made before, or MAY_BE_UNPROVEN lists the operation. */
  readonly excuse?: 'done before' | 'MAY_BE_UNPROVEN';
}

/** The call that broke an expectation. */
export interface FailedCall {
  readonly operation: CallableId;
  readonly origin: string;
  readonly status?: number;
  /** The beginning of the response's body. */
  readonly body?: string;
  /** The connection failure, if there was no response. */
  readonly failure?: Pick<ConnectionFailure, 'phase' | 'reason'> & Partial<Pick<ConnectionFailure, 'code'>>;
  /** The `curl` line that repeats the request, with masked credentials. */
  readonly curl?: string;
}

/** The refusals of a credential: their statuses, areas and operations, the place where the credential is given, and the first refused call. */
export interface Refused {
  readonly statuses: readonly number[];
  readonly areas: readonly AreaId[];
  readonly operations?: readonly CallableId[];
  readonly place?: string;
  readonly call?: FailedCall;
}

/** Maximum length of the response's body in a failure, in characters. */
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
