import type { AreaId, Effect, Operation } from '../../spec/index.ts';
import type { Route } from '../http/route.ts';
import type { Contract } from './contract.ts';
import type { LearnedFacts } from './learned-facts.ts';
import type { Observed } from './observed.ts';

/** Rate limits of an environment. */
export interface RateLimits {
  readonly maxRequestsPerSecond?: number;
  /** Concurrent requests. */
  readonly maxConcurrency?: number;
  /** Longest Retry-After to wait for, in ms. */
  readonly retryAfterLimitMs: number;
}

/** Success is signalled in the body: the value at `pointer` equals `value`. */
export interface SuccessRule {
  /** JSON Pointer (RFC 6901). */
  readonly pointer: string;
  readonly value: unknown;
  /** As written in the environment, for messages. */
  readonly text: string;
}

/** Everything that the client needs to call an environment. */
export interface ServiceUnderTest {
  readonly name: string;
  /** Base address by area; each ends in a slash. */
  readonly addresses: Readonly<Record<AreaId, URL>>;
  /** How the addresses are reached; absent: directly. */
  readonly route?: Route;
  readonly allowedEffects: ReadonlySet<Effect>;
  readonly requestTimeoutMs: number;
  readonly consistencyTimeoutMs: number;
  readonly slowAfterMs: number;
  /** Largest response, in bytes after decompression. */
  readonly maxAnswerBytes: number;
  /** Rate limits; absent: none. */
  readonly rateLimits?: RateLimits;
  /** The header with the run id; null for none. */
  readonly runHeader?: string | null;
  readonly successWhen?: SuccessRule;
  /** The two numeric segments of the block lists; the specification doesn't define them. */
  readonly blockListSegments: { readonly n1: string; readonly n2: string };
  /** Operation 12, from FRIEND_PROFILE_REQUEST. */
  readonly readProfile?: Operation;
  /** Observed responses, against which responses are checked. */
  readonly observed?: Observed;
  /** Facts of a survey; absent without a survey. */
  readonly facts?: LearnedFacts;
  /** The team's own OpenAPI documents, to which requests and responses are held. */
  readonly contract?: Contract;
  /** Whether drift fails the scenario or is only noted; absent = warn. */
  readonly drift?: 'fail' | 'warn';
}
