import { SendFailed } from './channel.ts';

/** How often and for how long delivery of a notice is attempted. */
export interface RetryPolicy {
  readonly firstWaitMs: number;
  readonly longestWaitMs: number;
  /** Delivery is abandoned after this long. */
  readonly giveUpAfterMs: number;
}

export const retryPolicy: RetryPolicy = { firstWaitMs: 2_000, longestWaitMs: 300_000, giveUpAfterMs: 86_400_000 };

/**
 * When to try again after the n-th failed attempt; `undefined`: give up. Waits double, and are never
 * shorter than the receiver asked for.
 */
export function nextTryAt(
  failure: unknown,
  { attempts, created }: { readonly attempts: number; readonly created: number },
  now: number,
  { firstWaitMs, longestWaitMs, giveUpAfterMs }: RetryPolicy,
): number | undefined {
  const asked = failure instanceof SendFailed ? (failure.retryAfterMs ?? 0) : 0;
  if (failure instanceof SendFailed && failure.isFinal) return undefined;
  const wait = Math.max(asked, Math.min(longestWaitMs, firstWaitMs * 2 ** (attempts - 1)));
  return now + wait - created > giveUpAfterMs ? undefined : now + wait;
}
