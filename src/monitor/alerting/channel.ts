import { randomUUID } from 'node:crypto';
import { type Redacted, type Route, redactJson } from '../../client/index.ts';
import type { KeyEntry } from '../../config/index.ts';
import type { Notice } from './notice.ts';

export interface Sending {
  /** Idempotency key: the same at every attempt to send one notice. */
  readonly key: string;
  readonly signal: AbortSignal;
  /** By the monitor's proxy; absent: directly. */
  readonly route?: Route | undefined;
  /** Epoch, in ms. */
  readonly now: number;
}

/** Sends a notice; throws (usually `SendFailed`) when it was not delivered. */
export type Send = (notice: Redacted<Notice>, sending: Sending) => Promise<void>;

/** A way to send notices, on when its required keys are set. */
export interface ChannelType {
  readonly keys: Readonly<Record<string, KeyEntry<string>>>;
  readonly open: (values: Readonly<Record<string, string>>) => Send;
}

export class SendFailed extends Error {
  override readonly name = 'SendFailed';
  /** The wait that the receiver asked for, in ms. */
  readonly retryAfterMs: number | undefined;
  /** The receiver will never accept it: don't try again. */
  readonly isFinal: boolean;

  constructor(message: string, { retryAfterMs, isFinal = false }: { retryAfterMs?: number; isFinal?: boolean } = {}) {
    super(message);
    this.retryAfterMs = retryAfterMs;
    this.isFinal = isFinal;
  }
}

const DEADLINE_MS = 15_000;

/** Sends one test notice, which links to the page; returns the reason if that failed. `now` is an epoch, in ms. */
export async function sendTest(send: Send, now: number, pageUrl: string): Promise<string | undefined> {
  const at = new Date(now).toISOString();
  const notice: Notice = {
    kind: 'test',
    incident: `test-${randomUUID()}`,
    environment: 'test',
    cause: { kind: 'address', address: 'http://test.invalid/' },
    headline: 'Sextant test notice: this channel works, no action needed',
    at,
    since: at,
    until: at,
    durationMs: 0,
    scenarios: [],
    link: pageUrl,
  };
  try {
    await send(redactJson(notice), {
      key: `sextant-${notice.incident}`,
      signal: AbortSignal.timeout(DEADLINE_MS),
      now,
    });
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
