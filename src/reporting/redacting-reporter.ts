import type { Reporter, TestCase, TestError, TestResult, TestStep } from '@playwright/test/reporter';
import { guardOutput, redact } from '../client/index.ts';

/**
 * The first reporter: removes secrets from the objects that Playwright passes to all reporters in turn, those that write files
 * as well as those that print.
 */
export default class RedactingReporter implements Reporter {
  constructor() {
    guardOutput();
  }

  onStepBegin(_test: TestCase, _result: TestResult, step: TestStep): void {
    cleanStep(step);
  }

  onStepEnd(_test: TestCase, _result: TestResult, step: TestStep): void {
    cleanStep(step);
  }

  onTestEnd({ annotations }: TestCase, result: TestResult): void {
    for (const annotation of [...annotations, ...result.annotations])
      if (annotation.description !== undefined) annotation.description = redact(annotation.description);
    for (const error of result.errors) cleanError(error);
    for (const chunks of [result.stdout, result.stderr])
      for (const [index, chunk] of chunks.entries()) chunks[index] = redact(String(chunk));
  }

  onError(error: TestError): void {
    cleanError(error);
  }

  printsToStdio(): boolean {
    return false;
  }
}

function cleanStep(step: TestStep): void {
  step.title = redact(step.title);
  if (step.error) cleanError(step.error);
}

function cleanError(error: TestError): void {
  for (const key of ['message', 'stack', 'snippet', 'value'] as const) {
    const text = error[key];
    if (text !== undefined) error[key] = redact(text);
  }
  if (error.cause) cleanError(error.cause);
}
