import type { Checked } from '../../config/index.ts';
import type { Notice } from './notice.ts';

/** One key of a channel's settings. */
export interface ChannelKey {
  readonly check: (value: string) => Checked<string>;
  readonly meaning: string;
  /** The channel can't be used without it. */
  readonly required: boolean;
  readonly fallback?: string;
}

export interface Sending {
  /** The same at every try of one notice. */
  readonly key: string;
  readonly signal: AbortSignal;
  /** Epoch, in ms. */
  readonly now: number;
}

/** Sends a notice; throws `SendFailed`, or anything else, when it didn't arrive. */
export type Send = (notice: Notice, sending: Sending) => Promise<void>;

/** A way to reach people. It is on when its required keys are set. */
export interface ChannelType {
  readonly keys: Readonly<Record<string, ChannelKey>>;
  readonly open: (values: Readonly<Record<string, string>>) => Send;
}

export class SendFailed extends Error {
  override readonly name = 'SendFailed';
  /** What the receiver asked for, in ms from now. */
  readonly retryAfterMs: number | undefined;
  /** It would be refused every time. */
  readonly isFinal: boolean;

  constructor(message: string, { retryAfterMs, isFinal = false }: { retryAfterMs?: number; isFinal?: boolean } = {}) {
    super(message);
    this.retryAfterMs = retryAfterMs;
    this.isFinal = isFinal;
  }
}
