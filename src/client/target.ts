import type { AreaId, Effect, Operation } from '../spec/index.ts';
import type { LearnedFacts } from './drift/learned-facts.ts';
import type { Observed } from './drift/observed.ts';

/** How fast an environment may be called. */
export interface RateLimits {
  readonly maxRequestsPerSecond?: number;
  /** Requests under way at once. */
  readonly maxConcurrency?: number;
  /** The longest Retry-After that is waited for, in ms. */
  readonly retryAfterLimitMs: number;
}

/** When a body, not the status, tells success: the value at `pointer` equals `value`. */
export interface SuccessRule {
  /** JSON Pointer (RFC 6901). */
  readonly pointer: string;
  readonly value: unknown;
  /** As it stands in the environment, for messages. */
  readonly text: string;
}

/** All that the client must know of an environment to call it. */
export interface ServiceUnderTest {
  readonly name: string;
  /** Base address by area; each ends in a slash. */
  readonly addresses: Readonly<Record<AreaId, URL>>;
  readonly allowedEffects: ReadonlySet<Effect>;
  readonly requestTimeoutMs: number;
  readonly consistencyTimeoutMs: number;
  readonly slowAfterMs: number;
  /** Largest answer that is read, in decompressed bytes. */
  readonly maxAnswerBytes: number;
  /** How fast it may be called; absent: as fast as it answers. */
  readonly rateLimits?: RateLimits;
  /** The header that carries the run's id; null for none. */
  readonly runHeader?: string | null;
  readonly successWhen?: SuccessRule;
  /** The two numeric segments of the block lists; the document doesn't say what they mean. */
  readonly blockListSegments: { readonly n1: string; readonly n2: string };
  /** Row 12 as the team knows it. */
  readonly readProfile?: Operation;
  /** What surveys learned; answers are held to it. */
  readonly observed?: Observed;
  /** What a survey decided; absent where there is no survey. */
  readonly facts?: LearnedFacts;
  /** Whether an answer that is not as observed breaks the scenario or is only noted; absent = warn. */
  readonly drift?: 'fail' | 'warn';
}
