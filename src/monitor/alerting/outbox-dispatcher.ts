import { setTimeout as pause } from 'node:timers/promises';
import { counted } from '../../environment/index.ts';
import { Deadline } from '../../http/index.ts';
import { redactJson } from '../../redaction/index.ts';
import type { HistoryDatabase } from '../history/database.ts';
import {
  claimNotice,
  noteAttempt,
  renewNotices,
  undeliveredBefore,
  type WaitingNotice,
  waitingNotices,
} from '../history/outbox.ts';
import { type Send, SendFailed } from './channel.ts';
import { forgetful } from './channels/registry.ts';
import type { Notice } from './notice.ts';
import { TroubleReport } from './trouble-report.ts';

interface OutboxDispatcherOptions {
  readonly db: HistoryDatabase;
  readonly channels: ReadonlyMap<string, Send>;
  /** Called with a sentence about each notice that was not delivered, and if the history can't be used. */
  readonly onTrouble: (text: string) => void;
  readonly firstWaitMs?: number;
  readonly deadlineMs?: number;
}

/**
 * Longest wait between two attempts, in ms. The dispatcher doesn't wait longer even if the receiver asks for it, because people wait for
 * the notice.
 */
const LONGEST_WAIT_MS = 300_000;

/** For receivers that forget alerts: time from the last delivery of a firing alert until the dispatcher sends the alert again, in ms. */
export const RENEW_MS = 120_000;

/** Maximum number of attempts to send a notice. They take about a day. */
const MOST_ATTEMPTS = 300;

/** Delivers notices from the outbox to their channels, each at least once. */
export class OutboxDispatcher {
  readonly #options: Required<OutboxDispatcherOptions>;
  /** `#stopping` ends the waits between attempts; `#ending` later ends the attempts, too. */
  readonly #stopping = new AbortController();
  readonly #ending = new AbortController();
  /** The notices that are being sent or wait for their next attempt, by id. */
  readonly #underWay = new Map<number, Promise<void>>();
  /**
   * For each channel, a reporter of its problems. The name '' is for the outbox itself. Each problem is reported at once, and only once.
   */
  readonly #troubles = new Map<string, TroubleReport>();

  constructor(options: OutboxDispatcherOptions) {
    this.#options = { firstWaitMs: 2_000, deadlineMs: 15_000, ...options };
  }

  /** Begins to send the notices that wait in the outbox. */
  look(): void {
    if (this.#stopping.signal.aborted) return;
    this.#inOutbox(() => {
      const { db, channels } = this.#options;
      const now = Date.now();
      const renewed = forgetful.filter((name) => channels.has(name));
      if (renewed.length > 0) renewNotices(db, renewed, now - RENEW_MS, now);
      for (const notice of waitingNotices(db)) {
        if (this.#underWay.has(notice.id)) continue;
        // Claim the notice before sending it. Otherwise a newer notice might replace it in the meantime.
        claimNotice(db, notice.id);
        const carried = this.#carry(notice).finally(() => {
          this.#underWay.delete(notice.id);
          this.look();
        });
        this.#underWay.set(notice.id, carried);
      }
    });
  }

  /**
   * Stops the dispatcher. Notices that are being sent get `graceMs` to arrive. All other notices stay in the outbox until the next start.
   */
  async stop(graceMs: number): Promise<void> {
    this.#stopping.abort();
    const timer = setTimeout(() => this.#ending.abort(), graceMs);
    await Promise.all(this.#underWay.values());
    this.#ending.abort();
    clearTimeout(timer);
  }

  #troubleOf(name: string): TroubleReport {
    const trouble = this.#troubles.get(name) ?? new TroubleReport(this.#options.onTrouble);
    this.#troubles.set(name, trouble);
    return trouble;
  }

  #inOutbox<T>(work: () => T): T | undefined {
    try {
      const result = work();
      this.#troubleOf('').clear();
      return result;
    } catch (error) {
      this.#troubleOf('').add(`Cannot use the outbox in the history: ${(error as Error).message}`);
      return undefined;
    }
  }

  /** Makes one attempt to send a notice, and waits until the next attempt may begin. */
  async #carry(notice: WaitingNotice): Promise<void> {
    const failure = await this.#send(notice).catch((error: unknown) => error ?? 'unknown error');
    // If the outbox can't record the outcome, wait. The notice is then sent again.
    const ms = this.#inOutbox(() => this.#note(notice, failure)) ?? this.#options.deadlineMs;
    await pause(ms, undefined, { signal: this.#stopping.signal }).catch(() => {});
  }

  /** Records the outcome of an attempt; returns how long to wait, in ms. */
  #note({ id, channel, key, attempts }: WaitingNotice, failure: unknown): number {
    const { db, onTrouble, firstWaitMs } = this.#options;
    if (failure === undefined) {
      noteAttempt(db, id, 'sent', Date.now());
      this.#troubleOf(channel).clear();
      return 0;
    }
    const text = failure instanceof Error ? failure.message : String(failure);
    const ms = waitMs(failure, attempts + 1, firstWaitMs);
    const tries = counted(attempts + 1, 'attempt');
    if (ms === undefined)
      onTrouble(`NOTICE NOT DELIVERED: channel ${channel} gave up after ${tries}: ${text} (notice ${key})`);
    else
      this.#troubleOf(channel).add(
        `NOTICE DELAYED: channel ${channel} did not accept it, and the monitor tries again: ${text}`,
      );
    noteAttempt(db, id, ms === undefined ? 'given_up' : undefined, Date.now(), text);
    return ms ?? 0;
  }

  /** Sends a notice. If the receiver rejects the contents of the notice, sends it again without the list of scenarios. */
  async #send(waiting: WaitingNotice): Promise<void> {
    const { db, channels, deadlineMs } = this.#options;
    const send = channels.get(waiting.channel);
    if (!send) throw new Error(`channel ${waiting.channel} is no longer configured`);
    const notice = withUndelivered(JSON.parse(waiting.body) as Notice, undeliveredBefore(db, waiting));
    const attempt = async (form: Notice) => {
      const limit = new Deadline(deadlineMs, this.#ending.signal);
      const sending = send(redactJson(form), { key: waiting.key, signal: limit.signal, now: Date.now() });
      await sending.finally(() => limit.end());
    };
    await attempt(notice).catch((error: unknown) => {
      if (error instanceof SendFailed && error.isFinal) return attempt({ ...notice, scenarios: [] });
      throw error;
    });
  }
}

/**
 * How long to wait after failed attempt number `attempts`, in ms; `undefined` if there is no further attempt. Each wait is twice as long as
 * the last one, or longer if the receiver asks for it, but at most LONGEST_WAIT_MS.
 */
export function waitMs(failure: unknown, attempts: number, firstWaitMs: number): number | undefined {
  const { isFinal = false, retryAfterMs = 0 } = failure instanceof SendFailed ? failure : {};
  if (isFinal || attempts >= MOST_ATTEMPTS) return undefined;
  return Math.min(LONGEST_WAIT_MS, Math.max(retryAfterMs, firstWaitMs * 2 ** (attempts - 1)));
}

/**
 * Adds to a notice which earlier notices were not delivered. A reader who did not get the notice "down" would not understand the notice
 * "recovered".
 */
function withUndelivered(notice: Notice, undelivered: readonly Notice['kind'][]): Notice {
  if (undelivered.length === 0) return notice;
  const what = undelivered.includes('down') ? 'the notice that it was down' : 'an earlier notice';
  const headline = `${notice.headline}; ${what} was not delivered here`;
  return { ...notice, headline, undelivered: [...new Set(undelivered)] };
}
