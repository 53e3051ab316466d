import { SendFailed } from './channel.ts';

/** How often and for how long delivery of a notice is attempted. */
export interface RetryPolicy {
  readonly firstWaitMs: number;
  /** Longest wait, even if the receiver asks for more: people wait for the notice. */
  readonly longestWaitMs: number;
  /** Delivery is abandoned after this long. */
  readonly giveUpAfterMs: number;
}

export const retryPolicy: RetryPolicy = { firstWaitMs: 2_000, longestWaitMs: 300_000, giveUpAfterMs: 86_400_000 };

/** A machine that slept for days, or whose calendar was set ahead, has not tried for as long as it seems. */
const LEAST_TRIES = 10;

/**
 * When to try again after the n-th failed attempt; `undefined`: give up. Waits double; a longer one that the receiver asks for is
 * granted up to the longest.
 */
export function nextTryAt(
  failure: unknown,
  { attempts, created }: { readonly attempts: number; readonly created: number },
  now: number,
  { firstWaitMs, longestWaitMs, giveUpAfterMs }: RetryPolicy,
): number | undefined {
  if (failure instanceof SendFailed && failure.isFinal) return undefined;
  const asked = failure instanceof SendFailed ? (failure.retryAfterMs ?? 0) : 0;
  const wait = Math.min(longestWaitMs, Math.max(asked, firstWaitMs * 2 ** (attempts - 1)));
  const isOver = now + wait - created > giveUpAfterMs && attempts >= LEAST_TRIES;
  return isOver ? undefined : now + wait;
}
