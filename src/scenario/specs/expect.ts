import { isDeepStrictEqual } from 'node:util';
import { ApiResponse, inside } from '../../call/index.ts';
import { counted } from '../../environment/sentence-parts.ts';
import { valueAt } from '../../http/index.ts';
import { type ShownField, shownField, type WrittenProfile } from '../../questions/index.ts';
import { assertGrade, excerpt, NoEvidence, SpecMistake, type StatedClaim, Unmatched } from '../../verdict/index.ts';

/** The end of the message about an id that is absent, if nothing proves that the list works. */
const PROVES_NOTHING = 'which proves nothing: in this run the list showed neither this id nor any other';

export type Matched = ReturnType<typeof matched> & { readonly provesNothing?: boolean };

/** The suite's matchers, in the form of Playwright's `expect.extend`: `this` shows whether `.not` was used. */
export const matchers = {
  /**
   * Whether an id or a name appears anywhere in a response. `.not` needs evidence that the list works: an earlier response of the
   * session showed the id, or this response shows another id that the spec looked for.
   */
  toMention(this: { readonly isNot: boolean }, received: ApiResponse, id: string): Matched {
    const seen = inside(received);
    const found = seen.mentions(id);
    const provesNothing = this.isNot && !found && !seen.provesAbsenceOf(id);
    const where = seen.entries === undefined ? 'the response' : counted(seen.entries, 'entry', 'entries');
    const observed = provesNothing
      ? `${JSON.stringify(id)} is not in ${where}, ${PROVES_NOTHING}`
      : `${JSON.stringify(id)} ${found ? 'found' : 'not found'} in ${where}`;
    return { ...matched('toMention', found || provesNothing, id, observed), provesNothing };
  },

  /** Whether a profile shows a field as it was written. A profile that doesn't show the field at all is accepted, too. */
  toShow(received: ApiResponse, field: ShownField, written: WrittenProfile): Matched {
    const { [field]: wanted = '' } = written;
    const { values, isWritten } = shownField(inside(received).json, field, written);
    const pass = isWritten !== false;
    const observed = pass
      ? `${field} is ${values.length === 0 ? 'not shown' : JSON.stringify(wanted)}`
      : `${field} is ${values.map((value) => JSON.stringify(value)).join(', ')}, not ${JSON.stringify(wanted)}`;
    return matched('toShow', pass, wanted, observed);
  },

  toHold(received: ApiResponse, pointer: string, value: unknown): Matched {
    const found = valueAt(inside(received).json, pointer);
    const pass = isDeepStrictEqual(found, value);
    const observed = `${pointer} is ${excerpt(asJson(found), 200)}${pass ? '' : `, not ${excerpt(asJson(value), 200)}`}`;
    return matched('toHold', pass, value, observed);
  },
};

function asJson(value: unknown): string {
  try {
    return JSON.stringify(value) ?? 'absent';
  } catch {
    return 'a value that is too deep to be printed';
  }
}

function matched(name: string, pass: boolean, expected: unknown, observed: string) {
  return { name, pass, expected, message: () => observed };
}

interface Expectations {
  toMention(id: string): void;
  toShow(field: ShownField, written: WrittenProfile): void;
  /**
   * Expects `value` at a JSON Pointer. The specification doesn't show the values of responses, so the claim must begin with `assumed: `.
   */
  toHold(pointer: string, value: unknown): void;
}

export interface Expecting extends Expectations {
  readonly not: Expectations;
}

/**
 * The type of the suite's `expect`. It lacks the matchers of Playwright, so a spec that uses one of them doesn't compile. A claim begins
 * with its grade, such as `documented: `.
 */
export type Expect = (received: ApiResponse, claim: StatedClaim) => Expecting;

/**
 * An `expect` that has only the suite's matchers, because Playwright's own matchers would give different results in the two runners. This
 * function itself decides whether a matcher holds, so that both runners agree. `steps` only shows the matchers in a report.
 */
export function strictExpect(steps?: Expect): Expect {
  return (received, claim) => {
    if (!(received instanceof ApiResponse))
      throw new SpecMistake('`expect` judges only responses; pass the result of a call');
    assertGrade('expect(…)', claim);
    const shown = steps?.(received, claim);
    return { ...expectations(received, claim, false, shown), not: expectations(received, claim, true, shown?.not) };
  };
}

export const expect = strictExpect();

function expectations(received: ApiResponse, claim: StatedClaim, isNot: boolean, shown?: Expectations): Expectations {
  const hold = (matched: Matched, step: (() => void) | undefined, matcher: (...args: never[]) => void) => {
    try {
      step?.();
    } catch {
      // Ignores the error of the step, because the code below throws an error that has the same text in both runners.
    }
    const { pass, provesNothing, expected, message } = matched;
    if (pass !== isNot) return;
    const { exchange } = inside(received);
    const error = provesNothing ? new NoEvidence(message()) : new Unmatched(exchange, claim, message(), expected, pass);
    Error.captureStackTrace(error, matcher);
    throw error;
  };
  return {
    toMention: function toMention(id) {
      hold(matchers.toMention.call({ isNot }, received, id), () => shown?.toMention(id), toMention);
    },
    toShow: function toShow(field, written) {
      hold(matchers.toShow(received, field, written), () => shown?.toShow(field, written), toShow);
    },
    toHold: function toHold(pointer, value) {
      if (!claim.startsWith('assumed: ')) {
        const problem = `toHold states something that the specification does not show, and its claim is "${claim}"`;
        throw new SpecMistake(`${problem}; begin the claim with \`assumed: \``);
      }
      hold(matchers.toHold(received, pointer, value), () => shown?.toHold(pointer, value), toHold);
    },
  };
}
