import { ApiResponse, assertGrade, SpecMistake, type StatedClaim } from '../../client/index.ts';
import { didYouMean } from '../../config/words.ts';
import { type Matched, matchers, type ShownField, type WrittenProfile } from './matchers.ts';

interface Expectations {
  /** An id stands anywhere in the response; `.not` needs evidence that the list works. */
  toMention(id: string): void;
  /** A profile holds a field as it was written, where it shows that field. */
  toShow(field: ShownField, written: WrittenProfile): void;
  /** The value at a JSON Pointer is `value`, which the specification doesn't show: its claim begins with `assumed: `. */
  toHold(pointer: string, value: unknown): void;
}

export interface Expecting extends Expectations {
  readonly not: Expectations;
}

/**
 * The `expect` of both runners. The claim begins with its grade: `documented: …` or `assumed: …`. Matchers that only
 * Playwright has are missing, so a spec that uses one doesn't compile.
 */
export type Expect = (received: ApiResponse, claim: StatedClaim) => Expecting;

/** An `expect` that refuses what the compiler would have, at the spec's line. */
export function strictExpect(expecting: Expect): Expect {
  return (received, claim) => {
    if (!(received instanceof ApiResponse)) throw SpecMistake.of('no response', { given: kindOf(received) });
    assertGrade('expect(…)', claim);
    return refuseOthers(expecting(received, claim), claim);
  };
}

const names = Object.keys(matchers);

function refuseOthers<T extends object>(expecting: T, claim: string): T {
  return new Proxy(expecting, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name);
      if (name === 'not') return refuseOthers(value as object, claim);
      if (typeof name === 'symbol' || name === 'then') return value;
      if (!names.includes(name))
        return () => {
          throw SpecMistake.of('unknown matcher', {
            matcher: name,
            hint: didYouMean(name, names),
            known: names.join(', '),
          });
        };
      if (name === 'toHold' && !claim.startsWith('assumed: ')) throw SpecMistake.of('documented too much', { claim });
      return value;
    },
  });
}

function kindOf(received: unknown): string {
  if (received === null || received === undefined) return String(received);
  return Array.isArray(received) ? 'a list' : typeof received === 'object' ? 'an object' : `a ${typeof received}`;
}

/** A matcher that doesn't hold, in the form in which Playwright's `expect` throws it. */
class MatcherFailed extends Error {
  readonly matcherResult: Omit<Matched, 'message'> & { readonly message: string };

  constructor(claim: string, { name, pass, expected, actual, message: explain }: Matched) {
    const explained = explain();
    super(`${claim}\n\n${explained}`);
    this.matcherResult = { name, pass, expected, actual, message: explained };
  }
}

/** `expect` of the in-process runner, which loads no Playwright. */
export const expect: Expect = strictExpect((received, claim) => ({
  ...expectations(received, claim, false),
  not: expectations(received, claim, true),
}));

function expectations(received: ApiResponse, claim: string, isNot: boolean): Expectations {
  const holding = (matched: Matched, matcher: (...args: never[]) => void) => {
    if (matched.pass !== isNot) return;
    const failure = new MatcherFailed(claim, matched);
    Error.captureStackTrace(failure, matcher);
    throw failure;
  };
  const toMention = (id: string) => holding(matchers.toMention.call({ isNot }, received, id), toMention);
  const toShow = (field: ShownField, written: WrittenProfile) =>
    holding(matchers.toShow(received, field, written), toShow);
  const toHold = (pointer: string, value: unknown) => holding(matchers.toHold(received, pointer, value), toHold);
  return { toMention, toShow, toHold };
}
