import { setTimeout as sleep } from 'node:timers/promises';
import type { AreaId } from '../../spec/index.ts';
import { pauseBeforeRetry } from '../http/retry-after.ts';
import { SuiteFault } from '../suite-fault.ts';
import type { Middleware, OutgoingCall } from './middleware.ts';
import { RateLimiter, type RateLimits, Semaphore } from './rate-limiter.ts';

/** The run was stopped while a request waited for its turn; it was not sent. */
export class NotSent extends SuiteFault {
  override readonly name = 'NotSent';
  override readonly category = 'unknown';
}

/** A clock in ms since the epoch, and a way to wait; tests bring their own. */
export interface Timer {
  now(): number;
  wait(ms: number, signal: AbortSignal | undefined): Promise<void>;
}

const realClock: Timer = {
  now: () => Date.now(),
  wait: (ms, signal) => sleep(ms, undefined, signal ? { signal } : {}),
};

/**
 * Keeps an environment's pace, and honours 429 and 503 with Retry-After: such a request is sent once more after the time
 * named, and what else its area is asked waits as long. Every attempt is sent by itself, so each is seen.
 */
export function rateLimit(limits: RateLimits, clock: Timer = realClock): Middleware {
  const slots = limits.maxRequestsPerSecond && new RateLimiter(limits.maxRequestsPerSecond, clock.now());
  const places = limits.maxConcurrency && new Semaphore(limits.maxConcurrency);
  const quietUntil = new Map<AreaId, number>();

  return async (call, next) => {
    const { area, effect } = call.operation;
    const inItsTurn = async () => {
      await waitUntil(quietUntil.get(area) ?? 0, call, clock);
      if (slots) await waitUntil(slots.reserve(clock.now()), call, clock);
      return next(call);
    };
    const attempt = () => (places ? places.within(inItsTurn) : inItsTurn());
    const first = await attempt();
    const pause = pauseBeforeRetry(first, effect, clock.now(), limits.retryAfterLimitMs);
    if (pause === undefined) return first;
    quietUntil.set(area, Math.max(quietUntil.get(area) ?? 0, clock.now() + pause));
    try {
      return await attempt();
    } catch (error) {
      if (error instanceof NotSent) return first;
      throw error;
    }
  };
}

async function waitUntil(moment: number, { operation, session }: OutgoingCall, clock: Timer): Promise<void> {
  const { signal } = session.context;
  for (let left = moment - clock.now(); left > 0; left = moment - clock.now()) {
    try {
      await clock.wait(left, signal);
    } catch {
      throw new NotSent(`${operation.id} was not sent: the run was stopped while it waited for its turn.`);
    }
  }
}
