import type { Exchange } from '../http/exchange.ts';
import { rateLimitState } from '../http/rate-limit-headers.ts';

/** With fewer requests left, those are spread over the time until there are more. */
const PLENTY = 0.5;
const FEW = 10;

/** The pace that one area of a service asks for: its responses say how many more requests it takes, and until when. */
export class AdaptedPace {
  #until = 0;
  #intervalMs = 0;
  #next = 0;
  #sent = 0;
  #since: number | undefined;
  #longestMs = 0;

  /** Takes the next free moment; returns it. */
  reserve(now: number): number {
    this.#since ??= now;
    this.#sent++;
    if (now >= this.#until) return now;
    const slot = Math.max(now, this.#next);
    this.#next = slot + this.#intervalMs;
    return slot;
  }

  /** The requests a second that fit, once a response asks for fewer; `undefined` if it doesn't. `pauseMs`: it is to come again then. */
  learn(exchange: Exchange, now: number, pauseMs = 0): number | undefined {
    const state = rateLimitState(exchange, now);
    this.#longestMs = Math.max(this.#longestMs, state?.resetMs ?? 0);
    const { limit = Number.POSITIVE_INFINITY, remaining = 0, resetMs = 0 } = state ?? {};
    const isScarce =
      state !== undefined && resetMs > 0 && remaining <= Math.max(FEW, limit * PLENTY) && remaining < limit;
    if (isScarce) {
      this.#until = now + resetMs;
      this.#intervalMs = resetMs / (remaining + 1);
      this.#next = Math.max(this.#next, now + this.#intervalMs);
    }
    if (!isScarce && pauseMs === 0) return undefined;
    if (Number.isFinite(limit) && this.#longestMs > 0) return (limit * 1_000) / this.#longestMs;
    const elapsedMs = now + Math.max(pauseMs, resetMs) - (this.#since ?? now);
    return elapsedMs > 0 ? (this.#sent * 1_000) / elapsedMs : undefined;
  }
}
