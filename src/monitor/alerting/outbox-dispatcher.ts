import { Deadline, redactJson } from '../../client/index.ts';
import { counted } from '../../config/index.ts';
import type { HistoryDatabase } from '../history/database.ts';
import { noteAttempt, undeliveredBefore, type WaitingNotice, waitingNotices } from '../history/outbox.ts';
import { type Send, SendFailed } from './channel.ts';
import type { Notice } from './notice.ts';
import { plainNotice } from './notice-lines.ts';
import { TroubleReport } from './trouble-report.ts';

interface OutboxDispatcherOptions {
  readonly db: HistoryDatabase;
  readonly channels: ReadonlyMap<string, Send>;
  /** Reports a notice that was not delivered, and a history that can't be used. */
  readonly onTrouble: (text: string) => void;
  readonly retryPolicy?: RetryPolicy;
  readonly deadlineMs?: number;
}

/** Delivers notices from the outbox to their channels, each at least once. */
export class OutboxDispatcher {
  readonly #options: Required<OutboxDispatcherOptions>;
  readonly #ending = new AbortController();
  readonly #underWay = new Map<string, Promise<void>>();
  /** By channel: a receiver that is dead is named at once, and once. */
  readonly #delays = new Map<string, TroubleReport>();
  /** What came of notices until the history has it: while its disk is full, none is sent again for that. */
  readonly #outcomes = new Map<number, Outcome>();
  readonly #trouble: TroubleReport;
  #isEnding = false;

  constructor(options: OutboxDispatcherOptions) {
    this.#options = { retryPolicy, deadlineMs: 15_000, ...options };
    this.#trouble = new TroubleReport(options.onTrouble);
  }

  /** Sends what is due now. */
  look(): void {
    if (this.#isEnding) return;
    const { db, retryPolicy } = this.#options;
    try {
      const now = Date.now();
      for (const notice of waitingNotices(db, now, retryPolicy.longestWaitMs)) {
        const { id } = notice;
        const { what = 'next_at', at = now } = this.#outcomes.get(id) ?? {};
        // What is under way may arrive: nothing may overtake it.
        const way = notice.incident > 0 ? `${notice.incident} ${notice.channel}` : String(id);
        if (this.#underWay.has(way) || what !== 'next_at' || at > now) continue;
        const carried = this.#carry(notice).finally(() => this.#underWay.delete(way));
        this.#underWay.set(way, carried);
      }
      this.#noteAll();
      this.#trouble.clear();
    } catch (error) {
      this.#trouble.add(`Cannot use the outbox in the history: ${(error as Error).message}`);
    }
  }

  /** Stops; notices being sent get `graceMs` to arrive. The others wait in the outbox for the next start. */
  async stop(graceMs: number): Promise<void> {
    this.#isEnding = true;
    const timer = setTimeout(() => this.#ending.abort(), graceMs);
    await Promise.all(this.#underWay.values());
    this.#ending.abort();
    clearTimeout(timer);
  }

  async #carry(notice: WaitingNotice): Promise<void> {
    try {
      const outcome = this.#outcomeOf(notice, await this.#send(notice));
      this.#outcomes.set(notice.id, outcome);
      this.#noteAll();
      // The next notice of the same incident was waiting for this one.
      if (outcome.what === 'sent') this.look();
    } catch (error) {
      this.#trouble.add(`Cannot record the delivery of a notice: ${(error as Error).message}`);
    }
  }

  #outcomeOf({ channel, key, created, ...notice }: WaitingNotice, failure: unknown): Outcome {
    const now = Date.now();
    if (failure === undefined) {
      this.#delays.get(channel)?.clear();
      return { what: 'sent', at: now };
    }
    const text = failure instanceof Error ? failure.message : String(failure);
    const attempts = notice.attempts + 1;
    const next = nextTryAt(failure, { created, attempts }, now, this.#options.retryPolicy);
    if (next !== undefined) {
      const delay = this.#delays.get(channel) ?? new TroubleReport(this.#options.onTrouble);
      this.#delays.set(channel, delay);
      delay.add(`NOTICE DELAYED: channel ${channel} did not take it, and is tried again: ${text}`);
      return { what: 'next_at', at: next, text };
    }
    const why = `gave up after ${counted(attempts, 'attempt')}: ${text}`;
    this.#options.onTrouble(`NOTICE NOT DELIVERED: channel ${channel} ${why} (notice ${key})`);
    return { what: 'given_up', at: now, text };
  }

  #noteAll(): void {
    for (const [id, { what, at, text }] of this.#outcomes) {
      noteAttempt(this.#options.db, id, what, at, text);
      this.#outcomes.delete(id);
    }
  }

  /** Sends a notice; once more in a plainer form, if it is refused for what it holds. Returns what went wrong. */
  async #send(waiting: WaitingNotice): Promise<unknown> {
    const { db, channels } = this.#options;
    const send = channels.get(waiting.channel);
    if (!send) return new Error(`channel ${waiting.channel} is no longer configured`);
    const notice = withUndelivered(db.json(waiting.body) as Notice, undeliveredBefore(db, waiting));
    const failure = await this.#try(send, notice, waiting);
    return failure instanceof SendFailed && failure.isFinal ? this.#try(send, plainNotice(notice), waiting) : failure;
  }

  async #try(send: Send, notice: Notice, { key }: WaitingNotice): Promise<unknown> {
    const limit = new Deadline(this.#options.deadlineMs, this.#ending.signal);
    try {
      await send(redactJson(notice), { key, signal: limit.signal, now: Date.now() });
      return undefined;
    } catch (error) {
      return error ?? new Error('unknown error');
    } finally {
      limit.end();
    }
  }
}

interface Outcome {
  readonly what: 'sent' | 'next_at' | 'given_up';
  /** Epoch, in ms. */
  readonly at: number;
  readonly text?: string;
}

export interface RetryPolicy {
  readonly firstWaitMs: number;
  /** Longest wait, even if the receiver asks for more: people wait for the notice. */
  readonly longestWaitMs: number;
  readonly giveUpAfterMs: number;
}

const retryPolicy: RetryPolicy = { firstWaitMs: 2_000, longestWaitMs: 300_000, giveUpAfterMs: 86_400_000 };

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

/** A notice that includes earlier undelivered ones: without "down", "recovered" would make no sense. */
function withUndelivered(notice: Notice, undelivered: readonly Notice['kind'][]): Notice {
  if (undelivered.length === 0) return notice;
  const what = undelivered.includes('down') ? 'the notice that it was down' : 'an earlier notice';
  const headline = `${notice.headline}; ${what} was not delivered here`;
  return { ...notice, headline, undelivered: [...new Set(undelivered)] };
}
