import type { Environment } from '../config/index.ts';
import { takeBackLeftovers } from '../scenario/index.ts';
import { type Clock, systemClock } from './schedule/clock.ts';
import { Timers } from './schedule/timers.ts';

const EVERY_MS = 600_000;

export interface UndoAgainOptions {
  readonly environments: readonly Environment[];
  readonly signal: AbortSignal;
  readonly say: (line: string) => void;
  readonly clock?: Clock;
}

/**
 * Undoes every ten minutes what a scenario's own clean-up could not: it is left in the journal, and who runs for months must not
 * wait for a restart. What it returns ends it, and waits for what is under way.
 */
export function undoAgain({ environments, signal, say, clock = systemClock }: UndoAgainOptions): () => Promise<void> {
  const timers = new Timers(clock);
  let underWay: Promise<void> | undefined;
  const all = async () => {
    for (const environment of environments)
      await takeBackLeftovers(environment, signal).catch((error: unknown) =>
        say(`Nothing could be undone: ${error instanceof Error ? error.message : error}`),
      );
  };
  timers.every(EVERY_MS, () => {
    underWay ??= all().finally(() => {
      underWay = undefined;
    });
  });
  return async () => {
    timers.cancel();
    await underWay;
  };
}
