import type { Reporter, TestCase, TestError, TestResult, TestStep } from '@playwright/test/reporter';
import { guardOutput, isSpecFile } from '../client/index.ts';
import { explainLoadError, labelMistake } from './explain-load-error.ts';
import { redactError, redactResult, redactStep } from './redact-results.ts';

/**
 * The first of the reporters: takes secrets out of what Playwright hands to all of them one after the other, those that write files
 * as well as those that print. What keeps a spec from loading gets the suite's words here, too.
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
  }

  onStepBegin(_test: TestCase, _result: TestResult, step: TestStep): void {
    redactStep(step);
  }

  onStepEnd(_test: TestCase, _result: TestResult, step: TestStep): void {
    redactStep(step);
  }

  onTestEnd(test: TestCase, result: TestResult): void {
    for (const error of result.errors) if (explainLoadError(error, test)) labelMistake(test, result);
    redactResult(test, result);
  }

  onError(error: TestError): void {
    explainLoadError(error);
    // A spec that doesn't load keeps all tests from running, which says nothing about the service.
    if (!this.#hasBegun && error.location && isSpecFile(error.location.file)) process.send?.({ couldNotJudge: true });
    redactError(error);
  }

  printsToStdio(): boolean {
    return false;
  }
}
