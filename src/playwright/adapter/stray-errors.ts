import { runLog, watchStrays } from '../../scenario/index.ts';
import { SpecMistake } from '../../verdict/index.ts';

/** The messages of errors that came when their test had ended: the run could not be judged. */
export function lateErrors() {
  return runLog<string>(process.env.SEXTANT_RUN ?? 'run', '', 'late-errors');
}

/** Why a worker could not export its spans. */
export function lostSpans() {
  return runLog<string>(process.env.SEXTANT_RUN ?? 'run', '', 'lost-spans');
}

/** Playwright would fail the test that is under way, whose error it may not be, and end the worker. */
if (process.env.TEST_WORKER_INDEX) {
  const theirs = process.listeners('uncaughtException');
  process.removeAllListeners('uncaughtException');
  process.removeAllListeners('unhandledRejection');
  watchStrays((error) => {
    if (error instanceof SpecMistake) lateErrors().add(error.message);
    else for (const hear of theirs) hear(error as Error, 'uncaughtException');
  });
}
