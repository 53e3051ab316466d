import type { Reporter, TestCase, TestError, TestResult, TestStep } from '@playwright/test/reporter';
import { guardOutput } from '../client/index.ts';
import { explainLoadError } from './explain-load-error.ts';
import { redactError, redactResult, redactStep } from './redact-results.ts';

/**
 * The first of the reporters: takes secrets out of what Playwright hands to all of them one after the other, those that write files
 * as well as those that print. What keeps a spec from loading gets the suite's words here, too.
 */
export default class RedactingReporter implements Reporter {
  constructor() {
    guardOutput();
  }

  onStepBegin(_test: TestCase, _result: TestResult, step: TestStep): void {
    redactStep(step);
  }

  onStepEnd(_test: TestCase, _result: TestResult, step: TestStep): void {
    redactStep(step);
  }

  onTestEnd(test: TestCase, result: TestResult): void {
    redactResult(test, result);
  }

  onError(error: TestError): void {
    explainLoadError(error);
    redactError(error);
  }

  printsToStdio(): boolean {
    return false;
  }
}
