import { Deadline, redactJson } from '../../client/index.ts';
import { counted } from '../../config/index.ts';
import type { HistoryDatabase } from '../history/database.ts';
import { noteAttempt, undeliveredBefore, type WaitingNotice, waitingNotices } from '../history/outbox.ts';
import { isLast } from '../status/told.ts';
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

const LOOK_MS = 500;

/** Delivers notices from the outbox to their channels, each at least once. */
export class OutboxDispatcher {
  readonly #options: Required<OutboxDispatcherOptions>;
  readonly #ending = new AbortController();
  readonly #underWay = new Map<number, Promise<void>>();
  readonly #trouble: TroubleReport;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: OutboxDispatcherOptions) {
    this.#options = { retryPolicy, deadlineMs: 15_000, ...options };
    this.#trouble = new TroubleReport(options.onTrouble);
  }

  /** Sends what is due now; runs every half second by itself. */
  look(): void {
    clearTimeout(this.#timer);
    if (this.#ending.signal.aborted) return;
    const { db, retryPolicy } = this.#options;
    try {
      for (const notice of waitingNotices(db, Date.now(), retryPolicy.longestWaitMs)) {
        const { id } = notice;
        if (this.#underWay.has(id)) continue;
        const carried = this.#carry(notice).finally(() => this.#underWay.delete(id));
        this.#underWay.set(id, carried);
      }
      this.#trouble.clear();
    } catch (error) {
      this.#trouble.add(`Cannot read notices from the history: ${(error as Error).message}`);
    }
    this.#timer = setTimeout(() => this.look(), LOOK_MS);
  }

  /** Stops; notices being sent get `graceMs` to arrive. The others wait in the outbox for the next start. */
  async stop(graceMs: number): Promise<void> {
    clearTimeout(this.#timer);
    const timer = setTimeout(() => this.#ending.abort(), graceMs);
    await Promise.all(this.#underWay.values());
    this.#ending.abort();
    clearTimeout(timer);
  }

  async #carry(notice: WaitingNotice): Promise<void> {
    const { db, onTrouble } = this.#options;
    try {
      const failure = await this.#send(notice);
      if (failure === undefined) {
        noteAttempt(db, notice.id, 'sent', Date.now());
        // The next notice of the same incident was waiting for this one.
        return this.look();
      }
      const text = failure instanceof Error ? failure.message : String(failure);
      const attempts = notice.attempts + 1;
      const next = nextTryAt(failure, { ...notice, attempts }, Date.now(), this.#options.retryPolicy);
      if (next !== undefined) return noteAttempt(db, notice.id, 'next_at', next, text);
      noteAttempt(db, notice.id, 'given_up', Date.now(), text);
      const { channel, key } = notice;
      const why = `gave up after ${counted(attempts, 'attempt')}: ${text}`;
      onTrouble(`NOTICE NOT DELIVERED: channel ${channel} ${why} (notice ${key})`);
    } catch (error) {
      this.#trouble.add(`Cannot record the delivery of a notice: ${(error as Error).message}`);
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

/** How often and for how long delivery of a notice is attempted. */
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
  if (!isLast(notice.kind) || undelivered.length === 0) return notice;
  const headline = `${notice.headline}; the notice that it was down was not delivered here`;
  return { ...notice, headline, undelivered: [...new Set(undelivered)] };
}
