import { counted } from '../../config/index.ts';
import { durationText } from './duration-text.ts';

export interface OutboxState {
  readonly waiting: number;
  readonly givenUp: number;
  /** When the oldest waiting notice was written; epoch, in ms. */
  readonly oldest?: number;
  readonly lastError?: string;
}

/** Whether the monitor itself is healthy. */
export interface SelfHealth {
  readonly isWell: boolean;
  /** One sentence each; empty when the monitor is healthy. */
  readonly problems: readonly string[];
  readonly startedAt: number;
  /** When the last run was recorded; epoch, in ms. */
  readonly lastRunAt?: number;
  readonly outbox: OutboxState;
}

interface HealthInput {
  readonly now: number;
  readonly startedAt: number;
  /** Since the start, or since a run was last written down; by the monotonic clock, in ms. */
  readonly silentMs: number;
  readonly lastRunAt: number | undefined;
  /** The shortest interval of any scenario, in ms. */
  readonly intervalMs: number;
  readonly outbox: OutboxState;
  /** The last problem with the history, until it works again. */
  readonly historyTrouble: string | undefined;
  /** Runs that are counted in memory alone. */
  readonly unwrittenRuns: number;
}

/** Slack for slow runs and their confirmation: a longer silence means that the monitor is stuck. */
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
    problems.push(`no run has been recorded for ${durationText(silentMs)}`);
  if (historyTrouble) problems.push(historyTrouble);
  if (unwrittenRuns > 0) problems.push(`${counted(unwrittenRuns, 'run')} could not be recorded`);
  if (outbox.oldest !== undefined && now - outbox.oldest > NOTICE_WAITS_MS)
    problems.push(
      `${counted(outbox.waiting, 'notice')} waiting to be sent${outbox.lastError ? ` (${outbox.lastError})` : ''}`,
    );
  if (outbox.givenUp > 0)
    problems.push(
      `${counted(outbox.givenUp, 'notice')} not delivered${outbox.lastError ? ` (${outbox.lastError})` : ''}`,
    );
  return {
    isWell: problems.length === 0,
    problems,
    startedAt,
    outbox,
    ...(lastRunAt === undefined ? {} : { lastRunAt }),
  };
}
