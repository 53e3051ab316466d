import { counted, present } from '../../config/index.ts';
import { durationText } from './texts.ts';

export interface OutboxState {
  readonly waiting: number;
  readonly givenUp: number;
  /** When the oldest waiting notice was written; epoch, in ms. */
  readonly oldest?: number;
  readonly lastError?: string;
}

export type SelfHealth = ReturnType<typeof selfHealthOf>;

interface HealthInput {
  readonly now: number;
  readonly startedAt: number;
  /** Since the start, or since a run was last written down; by the monotonic clock, in ms. */
  readonly silentMs: number;
  /** When the last run was recorded; epoch, in ms. */
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

/** Whether the monitor itself is healthy; a problem is one sentence. */
export function selfHealthOf(input: HealthInput) {
  const { now, startedAt, silentMs, lastRunAt, intervalMs, outbox, historyTrouble, unwrittenRuns } = input;
  const { waiting, givenUp, oldest = now, lastError } = outbox;
  const why = lastError ? ` (${lastError})` : '';
  const found: (string | false | undefined)[] = [
    silentMs > 2 * intervalMs + SILENT_AFTER_MS && `no run has been recorded for ${durationText(silentMs)}`,
    historyTrouble,
    unwrittenRuns > 0 && `${counted(unwrittenRuns, 'run')} could not be recorded`,
    now - oldest > NOTICE_WAITS_MS && `${counted(waiting, 'notice')} waiting to be sent${why}`,
    givenUp > 0 && `${counted(givenUp, 'notice')} not delivered${why}`,
  ];
  const problems = found.flatMap((problem) => problem || []);
  return { isWell: problems.length === 0, problems, startedAt, outbox, ...present({ lastRunAt }) };
}
