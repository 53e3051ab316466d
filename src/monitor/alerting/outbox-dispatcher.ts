import type { Database } from '../history/database.ts';
import { claimNotices, noticeFailed, noticeGivenUp, noticeSent, type WaitingNotice } from '../history/outbox.ts';
import type { Clock } from '../schedule/clock.ts';
import { nextTryAt, type RetryPolicy, retryPolicy } from './backoff.ts';
import type { Send } from './channel.ts';
import type { Notice } from './notice.ts';

export interface OutboxDispatcherOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly channels: ReadonlyMap<string, Send>;
  /** Somebody must hear of a notice that nobody got. */
  readonly onTrouble: (text: string) => void;
  readonly retryPolicy?: RetryPolicy;
  /** Deadline of one try, in ms. */
  readonly deadlineMs?: number;
}

const LOOK_MS = 500;

/** Carries notices out of the outbox to their channels, at least once each. */
export class OutboxDispatcher {
  readonly #options: Required<OutboxDispatcherOptions>;
  readonly #ending = new AbortController();
  readonly #underWay = new Set<Promise<void>>();
  #cancel = () => {};

  constructor(options: OutboxDispatcherOptions) {
    this.#options = { retryPolicy, deadlineMs: 15_000, ...options };
  }

  start(): void {
    this.look();
  }

  /** Sends what is due, now; called by itself every half second. */
  look(): void {
    this.#cancel();
    if (this.#ending.signal.aborted) return;
    const { db, clock, deadlineMs, onTrouble } = this.#options;
    try {
      // A claim outlives its own try, so nobody else can take a notice while it is being sent.
      for (const notice of claimNotices(db, clock.wall(), deadlineMs + 5_000)) {
        const carried = this.#carry(notice).finally(() => this.#underWay.delete(carried));
        this.#underWay.add(carried);
      }
    } catch (error) {
      onTrouble(`Notices can't be read from the history: ${(error as Error).message}`);
    }
    this.#cancel = clock.after(LOOK_MS, () => this.look());
  }

  /** Ends; what is under way gets `graceMs` to arrive. What didn't waits in the outbox for the next start. */
  async stop(graceMs: number): Promise<void> {
    this.#cancel();
    const cancel = this.#options.clock.after(graceMs, () => this.#ending.abort());
    await Promise.all(this.#underWay);
    this.#ending.abort();
    cancel();
  }

  async #carry(notice: WaitingNotice): Promise<void> {
    const { db, clock, onTrouble } = this.#options;
    try {
      const failure = await this.#send(notice);
      if (failure === undefined) {
        noticeSent(db, notice.id, clock.wall());
        // The incident's next notice waited for this one.
        return this.look();
      }
      const text = failure instanceof Error ? failure.message : String(failure);
      const next = nextTryAt(failure, notice, clock.wall(), this.#options.retryPolicy);
      if (next !== undefined) return noticeFailed(db, notice.id, text, next);
      noticeGivenUp(db, notice.id, text, clock.wall());
      onTrouble(
        `A notice was GIVEN UP after ${notice.attempts} tries: channel ${notice.channel}, ${text}. ${notice.key}`,
      );
    } catch (error) {
      onTrouble(`The history can't note what came of a notice: ${(error as Error).message}`);
    }
  }

  async #send({ channel, body, key }: WaitingNotice): Promise<unknown> {
    const { channels, clock, deadlineMs } = this.#options;
    const send = channels.get(channel);
    if (!send) return new Error(`channel ${channel} is no longer set up`);
    const signal = AbortSignal.any([this.#ending.signal, AbortSignal.timeout(deadlineMs)]);
    try {
      await send(JSON.parse(body) as Notice, { key, signal, now: clock.wall() });
      return undefined;
    } catch (error) {
      return error ?? new Error('unknown failure');
    }
  }
}
