import type { OutboxState } from './history/outbox.ts';

/** Whether the monitor itself is well: nobody else would notice. */
export interface SelfHealth {
  readonly isWell: boolean;
  /** In words; empty when it is well. */
  readonly problems: readonly string[];
  readonly startedAt: number;
  /** When a run was last written down; epoch, in ms. */
  readonly lastRunAt?: number;
  readonly outbox: OutboxState;
}

export interface HealthInput {
  readonly now: number;
  readonly startedAt: number;
  /** Since the start, or since a run was last written down; by the monotonic clock, in ms. */
  readonly silentMs: number;
  readonly lastRunAt: number | undefined;
  /** The shortest interval of any scenario, in ms. */
  readonly intervalMs: number;
  readonly outbox: OutboxState;
  /** What the history last complained of, until it works again. */
  readonly historyTrouble: string | undefined;
  /** Runs that are counted in memory alone. */
  readonly unwrittenRuns: number;
}

/** Runs take time, and a confirmation holds them up: this long without any is no longer explained by that. */
const SILENT_AFTER_MS = 120_000;
const NOTICE_WAITS_MS = 300_000;

export function selfHealthOf({
  now,
  startedAt,
  silentMs,
  lastRunAt,
  intervalMs,
  outbox,
  historyTrouble,
  unwrittenRuns,
}: HealthInput): SelfHealth {
  const problems: string[] = [];
  if (silentMs > 2 * intervalMs + SILENT_AFTER_MS)
    problems.push(`no run was written down for ${Math.round(silentMs / 1000)} s`);
  if (historyTrouble) problems.push(historyTrouble);
  if (unwrittenRuns > 0) problems.push(`${unwrittenRuns} runs could not be written down`);
  if (outbox.oldest !== undefined && now - outbox.oldest > NOTICE_WAITS_MS)
    problems.push(`${outbox.waiting} notices wait to be sent${outbox.lastError ? ` (${outbox.lastError})` : ''}`);
  if (outbox.givenUp > 0)
    problems.push(`${outbox.givenUp} notices were given up${outbox.lastError ? ` (${outbox.lastError})` : ''}`);
  return {
    isWell: problems.length === 0,
    problems,
    startedAt,
    outbox,
    ...(lastRunAt === undefined ? {} : { lastRunAt }),
  };
}
