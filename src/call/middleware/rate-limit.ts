import { setTimeout as sleep } from 'node:timers/promises';
import { exhaustedMs, pauseBeforeRetry, throttlingOf } from '../../http/index.ts';
import type { AreaId } from '../../service/index.ts';
import { type RateLimits, SuiteFault } from '../../verdict/index.ts';
import type { Middleware, OutgoingCall } from './stages.ts';

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
 * Enforces an environment's rate limits, and those of the service: a 429 or 503 with Retry-After is sent again after that time, and while it
 * waits, or after a response that says that no request is left, other requests to its area wait too. An area that says the same after the
 * longest wait is not waited for again before it has served a request. No request waits longer than `retryAfterLimitMs`: what is left of a
 * day's quota is no pause. Each attempt is a separate exchange. `onSlowed` hears how many requests a second the area took before its first
 * pause.
 */
export function rateLimit(
  limits: RateLimits,
  clock: Timer = realClock,
  onSlowed: (perSecond: number) => void = () => {},
): Middleware {
  const intervalMs = limits.maxRequestsPerSecond && 1_000 / limits.maxRequestsPerSecond;
  // The first slot is not now, so that a process that replaces another doesn't start with a burst.
  const slots = intervalMs && new Slots(intervalMs, clock.now() + intervalMs);
  const places = limits.maxConcurrency && new Semaphore(limits.maxConcurrency);
  const areas = new Map<AreaId, AreaPauses>();

  return async (call, next) => {
    const { area: id, effect } = call.operation;
    const area = areas.get(id) ?? { since: clock.now(), sent: 0, quietUntil: 0, isSlowed: false, isClosed: false };
    areas.set(id, area);
    const pauseArea = (ms: number) => {
      const until = clock.now() + ms;
      // Later pauses follow from the first, and a request that may come again at once says nothing of the pace.
      if (!area.isSlowed && ms >= LEAST_PAUSE_MS) {
        area.isSlowed = true;
        onSlowed((area.sent * 1_000) / (until - area.since));
      }
      area.quietUntil = Math.max(area.quietUntil, until);
    };
    const inItsTurn = async () => {
      await waitUntil(area.quietUntil, call, clock);
      if (slots) await waitUntil(slots.reserve(clock.now()), call, clock);
      area.sent++;
      return next(call);
    };
    const attempt = () => (places ? places.within(inItsTurn) : inItsTurn());
    let exchange = await attempt();
    for (let waitedMs = 0; ; ) {
      const throttling = throttlingOf(exchange);
      const isThrottled = throttling === 'throttled';
      if (!isThrottled) area.isClosed = false;
      const limitMs = area.isClosed ? 0 : limits.retryAfterLimitMs - waitedMs;
      const leastMs = waitedMs === 0 ? 1 : LEAST_PAUSE_MS;
      const pause = pauseBeforeRetry(exchange, effect, clock.now(), { leastMs, limitMs });
      if (isThrottled && waitedMs > 0 && pause === undefined) area.isClosed = true;
      const exhausted = isThrottled ? undefined : exhaustedMs(exchange, clock.now());
      if (exhausted) pauseArea(Math.min(exhausted, limits.retryAfterLimitMs));
      // After a 503, once is enough: it is down, not busy.
      if (pause === undefined || (waitedMs > 0 && throttling === 'busy')) return exchange;
      waitedMs += pause;
      pauseArea(pause);
      try {
        exchange = await attempt();
      } catch (error) {
        if (error instanceof NotSent) return exchange;
        throw error;
      }
    }
  };
}

interface AreaPauses {
  /** Of its first request, in ms. */
  readonly since: number;
  sent: number;
  quietUntil: number;
  isSlowed: boolean;
  /** It was waited for as long as may be, and said the same again. */
  isClosed: boolean;
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
  readonly #intervalMs: number;
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
