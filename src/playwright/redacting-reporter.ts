import type { Reporter, TestCase, TestError, TestResult, TestStep } from '@playwright/test/reporter';
import { guardOutput, redact, redactJson } from '../redaction/index.ts';
import { isInteractive } from '../scenario/index.ts';
import { isOfSuite, isSpecFile } from '../verdict/index.ts';
import { KEPT_WORKERS_VARIABLE } from './from-command.ts';

/**
 * The first of the reporters: takes secrets out of what Playwright hands to all of them one after the other, those that write files
 * as well as those that print, and has a failure be one that kept its worker.
 */
export default class RedactingReporter implements Reporter {
  #hasBegun = false;

  constructor() {
    guardOutput();
  }

  /** Playwright keeps the errors of loading from reporters of the first version until a run begins, which it then never does. */
  version(): 'v2' {
    return 'v2';
  }

  onBegin(): void {
    this.#hasBegun = true;
    // In UI mode and in editors Playwright's own reporter comes before this one.
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
    // Failures are expected in quarantine alone; elsewhere the test only kept its worker.
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
  // Sextant's own source says nothing to who reads what a spec, a service or a setting did.
  if (error.location && isOfSuite(error.location.file))
    for (const key of ['location', 'snippet'] as const) delete error[key];
}
