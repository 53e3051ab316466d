import { runLog, watchStrays } from '../../scenario/index.ts';
import { SpecMistake } from '../../verdict/index.ts';

/** The messages of errors that came after the end of their test. Because of such an error, the run can't be judged. */
export function lateErrors() {
  return runLog<string>(process.env.SEXTANT_RUN ?? 'run', '', 'late-errors');
}

/** The reasons why workers could not export their spans. */
export function lostSpans() {
  return runLog<string>(process.env.SEXTANT_RUN ?? 'run', '', 'lost-spans');
}

/**
 * Replaces Playwright's handlers of uncaught errors. They would end the worker and fail the running test, although the error may come from
 * an earlier test.
 */
if (process.env.TEST_WORKER_INDEX) {
  const theirs = process.listeners('uncaughtException');
  process.removeAllListeners('uncaughtException');
  process.removeAllListeners('unhandledRejection');
  watchStrays((error) => {
    if (error instanceof SpecMistake) lateErrors().add(error.message);
    else for (const hear of theirs) hear(error as Error, 'uncaughtException');
  });
}
