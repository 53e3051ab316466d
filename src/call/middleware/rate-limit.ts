import { setTimeout as sleep } from 'node:timers/promises';
import { type Exchange, exhaustedMs, pauseBeforeRetry, throttlingOf } from '../../http/index.ts';
import type { AreaId } from '../../service/index.ts';
import { type RateLimits, SuiteFault } from '../../verdict/index.ts';
import type { Middleware, Next, OutgoingCall } from './stages.ts';

/** The run was stopped while a request waited for the rate limit, so the request was not sent. */
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

/**
 * Minimum pause before the second and later repeats of a request. The service may ask for a time in the past (rounded, or by another
 * clock), and then Sextant must not repeat the request at once.
 */
const LEAST_PAUSE_MS = 1_000;

/**
 * Enforces the rate limits of an environment and of the service.
 * - After a 429 or 503 with Retry-After, it waits for the stated time and repeats the request. Other requests to the area wait, too.
 * - After a response that says that no request is left of the quota, all requests to the area wait.
 * - No request waits longer than `retryAfterLimitMs`, so none waits for the next day's quota. If an area still responds with 429 after the
 * longest wait, no request is repeated there until the area has served one.
 * Each attempt is a separate exchange. `onSlowed` is called with the requests per second that the area served before its first pause.
 */
export class RateLimit {
  readonly #limits: RateLimits;
  readonly #clock: Timer;
  readonly #onSlowed: (perSecond: number) => void;
  readonly #slots: Slots | undefined;
  readonly #places: Semaphore | undefined;
  readonly #areas = new Map<AreaId, AreaPauses>();

  constructor(limits: RateLimits, onSlowed: (perSecond: number) => void = () => {}, clock = realClock) {
    const { maxRequestsPerSecond, maxConcurrency } = limits;
    this.#limits = limits;
    this.#clock = clock;
    this.#onSlowed = onSlowed;
    const intervalMs = maxRequestsPerSecond && 1_000 / maxRequestsPerSecond;
    // The first slot is one interval away, so that a process that replaces another does not start with a burst.
    this.#slots = intervalMs ? new Slots(intervalMs, clock.now() + intervalMs) : undefined;
    this.#places = maxConcurrency ? new Semaphore(maxConcurrency) : undefined;
  }

  readonly middleware: Middleware = async (call, next) => {
    const area = this.#areaOf(call);
    const attempt = () => {
      const inItsTurn = () => this.#inItsTurn(area, call, next);
      return this.#places ? this.#places.within(inItsTurn) : inItsTurn();
    };
    let exchange = await attempt();
    for (let waitedMs = 0; ; ) {
      const pauseMs = this.#pauseAfter(exchange, call, area, waitedMs);
      // After a 503 one repeat is enough: the service is down, not throttling.
      if (pauseMs === undefined || (waitedMs > 0 && throttlingOf(exchange) === 'busy')) return exchange;
      waitedMs += pauseMs;
      this.#pauseArea(area, pauseMs);
      try {
        exchange = await attempt();
      } catch (error) {
        if (error instanceof NotSent) return exchange;
        throw error;
      }
    }
  };

  #areaOf({ operation: { area: id } }: OutgoingCall): AreaPauses {
    const begun = { since: this.#clock.now(), sent: 0, quietUntil: 0, isSlowed: false, isClosed: false };
    const area = this.#areas.get(id) ?? begun;
    this.#areas.set(id, area);
    return area;
  }

  async #inItsTurn(area: AreaPauses, call: OutgoingCall, next: Next): Promise<Exchange> {
    await waitUntil(area.quietUntil, call, this.#clock);
    if (this.#slots) await waitUntil(this.#slots.reserve(this.#clock.now()), call, this.#clock);
    area.sent++;
    return next(call);
  }

  /** How long to wait before the request is sent again, in ms; `undefined` if it must not be sent again. */
  #pauseAfter(exchange: Exchange, call: OutgoingCall, area: AreaPauses, waitedMs: number): number | undefined {
    const { retryAfterLimitMs, waitsUnasked } = this.#limits;
    const now = this.#clock.now();
    const isThrottled = throttlingOf(exchange) === 'throttled';
    if (!isThrottled) area.isClosed = false;
    const pauseMs = pauseBeforeRetry(exchange, call.operation.effect, now, {
      leastMs: waitedMs === 0 ? 1 : LEAST_PAUSE_MS,
      limitMs: area.isClosed ? 0 : retryAfterLimitMs - waitedMs,
      // Without a time from the service, pause as long as all earlier pauses together.
      unaskedMs: waitsUnasked && isThrottled ? Math.max(LEAST_PAUSE_MS, waitedMs) : undefined,
    });
    if (isThrottled && waitedMs > 0 && pauseMs === undefined) area.isClosed = true;
    const exhausted = isThrottled ? undefined : exhaustedMs(exchange, now);
    if (exhausted) this.#pauseArea(area, Math.min(exhausted, retryAfterLimitMs));
    return pauseMs;
  }

  #pauseArea(area: AreaPauses, ms: number): void {
    const until = this.#clock.now() + ms;
    // Only the first pause is reported, because later pauses come from the same limit. A pause of less than a second says nothing about the
    // rate.
    if (!area.isSlowed && ms >= LEAST_PAUSE_MS) {
      area.isSlowed = true;
      this.#onSlowed((area.sent * 1_000) / (until - area.since));
    }
    area.quietUntil = Math.max(area.quietUntil, until);
  }
}

interface AreaPauses {
  /** When the area got its first request, in ms since the epoch. */
  readonly since: number;
  sent: number;
  quietUntil: number;
  isSlowed: boolean;
  /** True while the area still refuses requests (429) although they waited up to the limit. */
  isClosed: boolean;
}

async function waitUntil(moment: number, { operation, session }: OutgoingCall, clock: Timer): Promise<void> {
  const { signal } = session.context;
  for (let leftMs = moment - clock.now(); leftMs > 0; leftMs = moment - clock.now()) {
    try {
      await clock.wait(leftMs, signal);
    } catch {
      throw new NotSent(`${operation.id} was not sent: the run was stopped while the call waited for the rate limit.`);
    }
  }
}

/** Evenly spaced slots, so that no second gets more than its share of requests. */
class Slots {
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
