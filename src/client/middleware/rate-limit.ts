import { setTimeout as sleep } from 'node:timers/promises';
import type { AreaId } from '../../spec/index.ts';
import type { Exchange } from '../http/exchange.ts';
import { askedPause, pauseBeforeRetry, rateLimitState } from '../http/rate-limit-headers.ts';
import type { RateLimits } from '../target/target.ts';
import { SuiteFault } from '../verdict/category.ts';
import type { Middleware, OutgoingCall } from './middleware.ts';

/** The run was stopped while a request waited for the rate limit; it was not sent. */
export class NotSent extends SuiteFault {
  override readonly name = 'NotSent';
  override readonly category = 'unknown';
}

/** A clock in ms since the epoch, and a way to wait; tests pass a fake. */
export interface Timer {
  now(): number;
  wait(ms: number, signal: AbortSignal | undefined): Promise<void>;
}

const realClock: Timer = {
  now: () => Date.now(),
  wait: (ms, signal) => sleep(ms, undefined, signal ? { signal } : {}),
};

/** A time that is over (a rounded one, or clocks that differ) is no leave to repeat a request as fast as it is throttled, again and again. */
const LEAST_PAUSE_MS = 1_000;

/**
 * Enforces an environment's rate limits, and those of the service: what its RateLimit headers say is spread over the time that they
 * name, and a 429 or 503 with Retry-After is sent again after that time, while other requests to its area wait too. An area that says the
 * same after the longest wait is not waited for again before it has served a request. None waits longer than `retryAfterLimitMs`: what is
 * left of a day's quota is no pace. Each attempt is a separate exchange. `onSlowed` hears how many requests a second fit, at most where it
 * follows from the limit that the service names.
 */
export function rateLimit(
  limits: RateLimits,
  clock: Timer = realClock,
  onSlowed: (perSecond: number, isAtMost: boolean) => void = () => {},
): Middleware {
  const intervalMs = limits.maxRequestsPerSecond && 1_000 / limits.maxRequestsPerSecond;
  // The first slot is not now, so that a process that replaces another doesn't start with a burst.
  const slots = intervalMs && new Slots(intervalMs, clock.now() + intervalMs);
  const places = limits.maxConcurrency && new Semaphore(limits.maxConcurrency);
  const quietUntil = new Map<AreaId, number>();
  const paces = new Map<AreaId, AdaptedPace>();
  const closed = new Set<AreaId>();

  return async (call, next) => {
    const { area, effect } = call.operation;
    const pace = paces.get(area) ?? new AdaptedPace();
    paces.set(area, pace);
    const inItsTurn = async () => {
      await waitUntil(quietUntil.get(area) ?? 0, call, clock);
      const longest = clock.now() + limits.retryAfterLimitMs;
      await waitUntil(Math.min(pace.reserve(clock.now()), longest), call, clock);
      if (slots) await waitUntil(slots.reserve(clock.now()), call, clock);
      return next(call);
    };
    const attempt = () => (places ? places.within(inItsTurn) : inItsTurn());
    let exchange = await attempt();
    for (let waitedMs = 0; ; ) {
      const isThrottled = exchange.response?.status === 429;
      if (!isThrottled) closed.delete(area);
      const limitMs = closed.has(area) ? 0 : limits.retryAfterLimitMs - waitedMs;
      const leastMs = waitedMs === 0 ? 1 : LEAST_PAUSE_MS;
      const pause = pauseBeforeRetry(exchange, effect, clock.now(), { leastMs, limitMs });
      if (isThrottled && waitedMs > 0 && pause === undefined) closed.add(area);
      const learned = pace.learn(exchange, clock.now(), askedPause(exchange, clock.now()));
      if (learned) onSlowed(learned.perSecond, learned.isAtMost);
      // After a 503, once is enough: it is down, not busy.
      if (pause === undefined || (waitedMs > 0 && exchange.response?.status === 503)) return exchange;
      waitedMs += pause;
      quietUntil.set(area, Math.max(quietUntil.get(area) ?? 0, clock.now() + pause));
      try {
        exchange = await attempt();
      } catch (error) {
        if (error instanceof NotSent) return exchange;
        throw error;
      }
    }
  };
}

async function waitUntil(moment: number, { operation, session }: OutgoingCall, clock: Timer): Promise<void> {
  const { signal } = session.context;
  for (let left = moment - clock.now(); left > 0; left = moment - clock.now()) {
    try {
      await clock.wait(left, signal);
    } catch {
      throw new NotSent(`${operation.id} was not sent: the run was stopped while the call waited for the rate limit.`);
    }
  }
}

/** Evenly spaced slots, so that no second has more than its share. */
export class Slots {
  #intervalMs: number;
  #next: number;

  constructor(intervalMs: number, first: number) {
    this.#intervalMs = intervalMs;
    this.#next = first;
  }

  reserve(now: number): number {
    const slot = Math.max(now, this.#next);
    this.#next = slot + this.#intervalMs;
    return slot;
  }

  /** Waits for the next free slot, on this process's monotonic clock. */
  async turn(): Promise<void> {
    const now = performance.now();
    const slot = this.reserve(now);
    if (slot > now) await sleep(slot - now);
  }

  widen(intervalMs: number, now: number): void {
    this.#intervalMs = intervalMs;
    this.#next = Math.max(this.#next, now + intervalMs);
  }
}

class Semaphore {
  #free: number;
  readonly #line: (() => void)[] = [];

  constructor(count: number) {
    this.#free = count;
  }

  async within<T>(work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free--;
    else await new Promise<void>((resolve) => this.#line.push(resolve));
    try {
      return await work();
    } finally {
      const next = this.#line.shift();
      if (next) next();
      else this.#free++;
    }
  }
}

/** With fewer requests left, those are spread over the time until there are more. */
const PLENTY = 0.5;
const FEW = 10;

/** The pace that one area of a service asks for: its responses say how many more requests it takes, and until when. */
class AdaptedPace {
  #until = 0;
  readonly #slots = new Slots(0, 0);
  #sent = 0;
  #since: number | undefined;
  #longestMs = 0;
  #isSaid = false;

  reserve(now: number): number {
    this.#since ??= now;
    this.#sent++;
    return now >= this.#until ? now : this.#slots.reserve(now);
  }

  /**
   * The requests a second that fit, once a response asks for fewer; `undefined` if it doesn't. `pauseMs`: it is to come again then. Of a
   * window that nobody names, only what is left of it was seen until another begins: until then, fewer may fit.
   */
  learn(exchange: Exchange, now: number, pauseMs = 0): { perSecond: number; isAtMost: boolean } | undefined {
    const state = rateLimitState(exchange, now);
    const isLonger = this.#isSaid && (state?.resetMs ?? 0) > this.#longestMs;
    this.#longestMs = Math.max(this.#longestMs, state?.resetMs ?? 0);
    const { limit, windowMs = this.#longestMs, remaining = 0, resetMs = 0 } = state ?? {};
    const isFew = remaining <= Math.max(FEW, (limit ?? 0) * PLENTY) && remaining < (limit ?? Number.POSITIVE_INFINITY);
    const isScarce = state !== undefined && resetMs > 0 && isFew;
    if (isScarce) {
      this.#until = now + resetMs;
      this.#slots.widen(resetMs / (remaining + 1), now);
    }
    if (!isScarce && pauseMs === 0 && !(isLonger && limit !== undefined)) return undefined;
    this.#isSaid = true;
    if (limit !== undefined && windowMs > 0) return { perSecond: (limit * 1_000) / windowMs, isAtMost: true };
    const elapsedMs = now + Math.max(pauseMs, resetMs) - (this.#since ?? now);
    return elapsedMs > 0 ? { perSecond: (this.#sent * 1_000) / elapsedMs, isAtMost: false } : undefined;
  }
}
