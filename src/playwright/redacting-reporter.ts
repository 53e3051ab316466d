import type { Reporter, TestCase, TestError, TestResult, TestStep } from '@playwright/test/reporter';
import { guardOutput, redact, redactJson } from '../redaction/index.ts';
import { isInteractive } from '../scenario/index.ts';
import { isOfSuite, isSpecFile } from '../verdict/index.ts';
import { KEPT_WORKERS_VARIABLE } from './from-command.ts';

/**
 * Removes secrets from results before any other reporter sees them: it is the first reporter, and Playwright passes the same objects to all
 * reporters, one after the other. Also removes the mark "expected" from failures, which workers set so that Playwright doesn't replace
 * them.
 */
export default class RedactingReporter implements Reporter {
  #hasBegun = false;

  constructor() {
    guardOutput();
  }

  /**
   * Declares reporter API version 2. With version 1, Playwright passes a loading error to the reporter only when a run begins. No run
   * begins after such an error, so the reporter would never get it.
   */
  version(): 'v2' {
    return 'v2';
  }

  onBegin(): void {
    this.#hasBegun = true;
    // Allows workers to mark failures as expected, except in UI mode and editors: there Playwright's own reporter comes first, and would
    // show the failures as expected.
    if (!isInteractive(process.argv)) process.env[KEPT_WORKERS_VARIABLE] = '1';
  }

  onStepBegin(_test: TestCase, _result: TestResult, step: TestStep): void {
    step.title = redact(step.title);
  }

  onStepEnd(test: TestCase, result: TestResult, step: TestStep): void {
    this.onStepBegin(test, result, step);
    if (step.error) redactError(step.error);
  }

  onTestEnd(test: Pick<TestCase, 'annotations' | 'expectedStatus'>, result: TestResult): void {
    // Only tests in quarantine may be expected to fail. If any other test has the expected status `failed`, its worker set that only so
    // that Playwright doesn't start another worker. So set it back.
    const isQuarantined = result.annotations.some(({ type }) => type === 'quarantine');
    if (test.expectedStatus === 'failed' && !isQuarantined) test.expectedStatus = 'passed';
    for (const annotation of [...test.annotations, ...result.annotations])
      if (annotation.description !== undefined) annotation.description = redact(annotation.description);
    for (const error of result.errors) redactError(error);
    for (const chunks of [result.stdout, result.stderr])
      for (const [index, chunk] of chunks.entries()) chunks[index] = redact(String(chunk));
  }

  onError(error: TestError): void {
    // If a spec doesn't load, no test runs, so the run says nothing about the service.
    if (!this.#hasBegun && error.location && isSpecFile(error.location.file)) process.send?.({ couldNotJudge: true });
    redactError(error);
  }

  printsToStdio(): boolean {
    return false;
  }
}

function redactError(error: TestError): void {
  Object.assign(error, redactJson(error));
  // Removes the location if it is in Sextant's own source: it wouldn't help readers to find a problem in a spec, a service or a setting.
  if (error.location && isOfSuite(error.location.file))
    for (const key of ['location', 'snippet'] as const) delete error[key];
}
