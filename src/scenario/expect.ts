import type { ApiResponse, ShownField } from '../client/index.ts';
import { type Matched, matchers, type WrittenProfile } from './matchers.ts';

interface Expectations {
  /** An id stands anywhere in the response; `.not` needs evidence that the list works. */
  toMention(id: string): void;
  /** A profile holds a field as it was written, where it shows that field. */
  toShow(field: ShownField, written: WrittenProfile): void;
}

/**
 * The `expect` of both runners. A message begins with the grade of the expectation: `documented: …`
 * or `assumed: …`. Matchers that only Playwright has are missing, so a spec that uses one doesn't compile.
 */
export type Expect = (
  received: ApiResponse,
  message?: string,
) => Expectations & {
  /** The opposite. */
  readonly not: Expectations;
};

/** A matcher that doesn't hold, in the form in which Playwright's `expect` throws it. */
class MatcherFailed extends Error {
  readonly matcherResult: Omit<Matched, 'message'> & { readonly message: string };

  constructor(message: string | undefined, { name, pass, expected, actual, message: explain }: Matched) {
    const explained = explain();
    super(message ? `${message}\n\n${explained}` : explained);
    this.matcherResult = { name, pass, expected, actual, message: explained };
  }
}

/** `expect` of the in-process runner, which loads no Playwright. */
export const expect: Expect = (received, message) => ({
  ...expectations(received, message, false),
  not: expectations(received, message, true),
});

function expectations(received: ApiResponse, message: string | undefined, isNot: boolean): Expectations {
  const holding = (matched: Matched, matcher: (...args: never[]) => void) => {
    if (matched.pass !== isNot) return;
    const failure = new MatcherFailed(message, matched);
    Error.captureStackTrace(failure, matcher);
    throw failure;
  };
  const toMention = (id: string) => holding(matchers.toMention.call({ isNot }, received, id), toMention);
  const toShow = (field: ShownField, written: WrittenProfile) =>
    holding(matchers.toShow(received, field, written), toShow);
  return { toMention, toShow };
}
