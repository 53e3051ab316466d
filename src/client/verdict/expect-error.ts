/** An error of Playwright's `expect`. */
export function isExpectError(error: unknown): error is Error & {
  readonly matcherResult: { readonly message: string; readonly actual: unknown; readonly expected?: unknown };
} {
  return (
    error instanceof Error &&
    'matcherResult' in error &&
    typeof error.matcherResult === 'object' &&
    error.matcherResult !== null
  );
}
