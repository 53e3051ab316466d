import type { Reporter, TestCase, TestError, TestResult, TestStep } from '@playwright/test/reporter';
import { guardOutput, redact, redactJson } from '../redaction/index.ts';
import { isInteractive } from '../scenario/index.ts';
import { isOfSuite, isSpecFile } from '../verdict/index.ts';
import { KEPT_WORKERS_VARIABLE } from './from-command.ts';

/**
 * The first of the reporters. Playwright passes the same objects to all reporters, one after the other, so this one removes the secrets for the
 * others, whether these write files or print. It also makes a failure unexpected again that was marked as expected to keep its worker.
 */
export default class RedactingReporter implements Reporter {
  #hasBegun = false;

  constructor() {
    guardOutput();
  }

  /**
   * Declares version 2, because Playwright holds back the errors of loading from version 1 reporters until a run begins. After such an error, no run
   * begins.
   */
  version(): 'v2' {
    return 'v2';
  }

  onBegin(): void {
    this.#hasBegun = true;
    // Not in UI mode and in editors, because Playwright's own reporter comes before this one there.
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
    // Only tests in quarantine are expected to fail. Any other test was marked only to keep its worker.
    const isQuarantined = result.annotations.some(({ type }) => type === 'quarantine');
    if (test.expectedStatus === 'failed' && !isQuarantined) test.expectedStatus = 'passed';
    for (const annotation of [...test.annotations, ...result.annotations])
      if (annotation.description !== undefined) annotation.description = redact(annotation.description);
    for (const error of result.errors) redactError(error);
    for (const chunks of [result.stdout, result.stderr])
      for (const [index, chunk] of chunks.entries()) chunks[index] = redact(String(chunk));
  }

  onError(error: TestError): void {
    // A spec that doesn't load keeps all tests from running, which says nothing about the service.
    if (!this.#hasBegun && error.location && isSpecFile(error.location.file)) process.send?.({ couldNotJudge: true });
    redactError(error);
  }

  printsToStdio(): boolean {
    return false;
  }
}

function redactError(error: TestError): void {
  Object.assign(error, redactJson(error));
  // Removes a place in Sextant's own source, because it doesn't help readers who look for a problem in a spec, a service or a setting.
  if (error.location && isOfSuite(error.location.file))
    for (const key of ['location', 'snippet'] as const) delete error[key];
}
