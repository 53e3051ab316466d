import type { TestCase, TestError, TestResult, TestStep } from '@playwright/test/reporter';
import { redact } from '../client/index.ts';

/** Takes secrets out of a result as Playwright hands it to its reporters, in place. */
export function redactResult({ annotations }: Pick<TestCase, 'annotations'>, result: TestResult): void {
  for (const annotation of [...annotations, ...result.annotations])
    if (annotation.description !== undefined) annotation.description = redact(annotation.description);
  for (const error of result.errors) redactError(error);
  for (const chunks of [result.stdout, result.stderr])
    for (const [index, chunk] of chunks.entries()) chunks[index] = redact(String(chunk));
}

export function redactStep(step: TestStep): void {
  step.title = redact(step.title);
  if (step.error) redactError(step.error);
}

export function redactError(error: TestError): void {
  for (const key of ['message', 'stack', 'snippet', 'value'] as const) {
    const text = error[key];
    if (text !== undefined) error[key] = redact(text);
  }
  if (error.cause) redactError(error.cause);
}
