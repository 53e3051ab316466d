import type { Environment } from '../../config/index.ts';
import { undoQuietly } from '../../scenario/index.ts';
import { type Clock, repeat, systemClock } from '../schedule/clock.ts';

const EVERY_MS = 600_000;

interface UndoAgainOptions {
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
  let underWay: Promise<void> | undefined;
  const all = async () => {
    for (const environment of environments)
      await undoQuietly(environment, { signal }).catch((error: unknown) =>
        say(`Undo failed: ${error instanceof Error ? error.message : error}`),
      );
  };
  const stop = repeat(clock, EVERY_MS, () => {
    underWay ??= all().finally(() => {
      underWay = undefined;
    });
  });
  return async () => {
    stop();
    await underWay;
  };
}
