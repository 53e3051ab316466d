import { stripVTControlCharacters } from 'node:util';
import type { TestCase, TestError, TestResult } from '@playwright/test/reporter';
import { CATEGORY_LABEL, type SpecLine, SpecMistake } from '../client/index.ts';
import { didYouMean } from '../config/did-you-mean.ts';
import { valueNames } from '../scenario/index.ts';

/**
 * What Playwright says of a spec that it can't load, or of a test that it can't start, in the words of the suite, in place: the
 * same as the other runner's. Errors of other kinds stay as they are.
 * @returns whether it is such an error.
 */
export function explainLoadError(error: TestError, test?: Pick<TestCase, 'title' | 'location'>): boolean {
  const { message = '', location = test?.location } = error;
  const mistake = location && mistakeOf(stripVTControlCharacters(message), location, test?.title);
  if (!mistake) return false;
  error.message = `${mistake.name}: ${mistake.message}`;
  error.location = location;
  if (mistake.stack) error.stack = mistake.stack;
  return true;
}

/** Files a test under the mistakes of specs, as a fixture would have. */
export function labelMistake(...annotated: readonly Pick<TestResult, 'annotations'>[]): void {
  const label = { type: CATEGORY_LABEL, description: 'spec-mistake' satisfies SpecMistake['category'] };
  for (const list of new Set(annotated.map(({ annotations }) => annotations))) list.push(label);
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
