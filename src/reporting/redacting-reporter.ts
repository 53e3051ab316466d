import { stripVTControlCharacters } from 'node:util';
import type { Reporter, TestCase, TestError, TestResult, TestStep } from '@playwright/test/reporter';
import {
  CATEGORY_LABEL,
  guardOutput,
  isSpecFile,
  redact,
  redactJson,
  type SpecLine,
  SpecMistake,
} from '../client/index.ts';
import { didYouMean } from '../config/words.ts';
import { valueNames } from '../scenario/index.ts';

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
    // Filed under the mistakes of specs, as a fixture would have.
    const label = { type: CATEGORY_LABEL, description: 'spec-mistake' satisfies SpecMistake['category'] };
    for (const error of result.errors)
      if (explainLoadError(error, test))
        for (const list of new Set([test.annotations, result.annotations])) list.push(label);
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

/**
 * What Playwright says of a spec that it can't load, or of a test that it can't start, in the words of the suite, in place: the
 * same as the other runner's. Errors of other kinds stay as they are.
 * @returns whether it is such an error.
 */
function explainLoadError(error: TestError, test?: Pick<TestCase, 'title' | 'location'>): boolean {
  const { message = '', location = test?.location } = error;
  const mistake = location && mistakeOf(stripVTControlCharacters(message), location, test?.title);
  if (!mistake) return false;
  error.message = `${mistake.name}: ${mistake.message}`;
  error.location = location;
  if (mistake.stack) error.stack = mistake.stack;
  return true;
}

function mistakeOf(message: string, line: SpecLine, test?: string): SpecMistake | undefined {
  const [, name] = /Test has unknown parameter "(\w+)"/.exec(message) ?? [];
  if (name) {
    const hint = didYouMean(name, valueNames);
    return SpecMistake.of('unknown fixture', { name, hint, known: valueNames.join(', ') }, line);
  }
  if (test !== undefined && message === 'TypeError: fn is not a function')
    return SpecMistake.of('no body', { title: test }, line);
  if (test !== undefined && message.includes('First argument must use the object destructuring pattern'))
    return SpecMistake.of('no names taken', { title: test }, line);
  const [, title, other] = /duplicate test title "(.*)", first declared in (.*:\d+)/.exec(message) ?? [];
  return title && other ? SpecMistake.of('same title', { title, other }, line) : undefined;
}

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
  Object.assign(error, redactJson(error));
}
