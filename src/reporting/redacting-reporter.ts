import type { Reporter, TestCase, TestError, TestResult, TestStep } from '@playwright/test/reporter';
import { guardOutput } from '../client/index.ts';
import { explainLoadError, labelMistake } from './explain-load-error.ts';
import { redactError, redactResult, redactStep } from './redact-results.ts';

/**
 * The first of the reporters: takes secrets out of what Playwright hands to all of them one after the other, those that write files
 * as well as those that print. What keeps a spec from loading gets the suite's words here, too.
 */
export default class RedactingReporter implements Reporter {
  constructor() {
    guardOutput();
  }

  /** Playwright keeps the errors of loading from reporters of the first version until a run begins, which it then never does. */
  version(): 'v2' {
    return 'v2';
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
    redactError(error);
  }

  printsToStdio(): boolean {
    return false;
  }
}
