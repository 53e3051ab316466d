import { type SpecLine, specLineOf } from '../../client/index.ts';
import { IN_CLEAN_UP } from './failure.ts';

const marked = new WeakSet<object>();

/** Remembers that errors came from the clean-up of a scenario. */
export function markCleanUp(errors: readonly unknown[]): void {
  for (const error of errors) if (error instanceof Error) marked.add(error);
}

export function isFromCleanUp(error: unknown): boolean {
  return error instanceof Error && marked.has(error);
}

/** An error that came from clean-up says so, and points at its scenario: `declaredAt`. */
export function withPlace(error: unknown, declaredAt: SpecLine): unknown {
  if (!(error instanceof Error) || !isFromCleanUp(error)) return error;
  const { file, line, column = 1 } = specLineOf(error.stack) ?? declaredAt;
  error.message = `${IN_CLEAN_UP}${error.message}`;
  error.stack = `${error.name}: ${error.message}\n    at ${file}:${line}:${column}`;
  return error;
}
