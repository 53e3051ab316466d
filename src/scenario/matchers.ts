import { ApiResponse, type ShownField, shownValues } from '../client/index.ts';

/** A profile as it was written. */
export type WrittenProfile = { readonly name?: string } & Partial<Record<ShownField, string>>;

/** The result of a matcher; `message` begins with the observation. */
export interface Matched {
  readonly name: string;
  readonly pass: boolean;
  readonly expected: unknown;
  readonly actual: unknown;
  readonly message: () => string;
}

/** The suite's matchers, in the form of Playwright's `expect.extend`: `this` shows whether `.not` was used. */
export const matchers = {
  /** Whether an id appears anywhere in a response. `.not` needs evidence: this run must have seen the list at work. */
  toMention(this: { readonly isNot: boolean }, received: ApiResponse, id: string): Matched {
    if (!(received instanceof ApiResponse))
      throw new TypeError('toMention needs a response: pass the result of a call.');
    const found = received.mentions(id);
    const provesNothing = this.isNot && !found && !received.provesAbsenceOf(id);
    received.lacksEvidence = provesNothing;
    const where = received.entries === undefined ? 'the response' : `${received.entries} entries`;
    const observed = provesNothing
      ? `${JSON.stringify(id)} is not in ${where}, which proves nothing: in this run the list showed neither this id nor any other`
      : `${JSON.stringify(id)} ${found ? 'found' : 'not found'} in ${where}`;
    return {
      name: 'toMention',
      pass: found || provesNothing,
      expected: id,
      actual: received,
      message: () => received.explain(observed),
    };
  },

  /** Whether a profile that was read holds a field as it was written. It need not show the field at all. */
  toShow(received: ApiResponse, field: ShownField, written: WrittenProfile): Matched {
    const { name = '', [field]: wanted = '' } = written;
    const shown = shownValues(received.json, name, field);
    const pass = shown.length === 0 || received.mentions(wanted);
    const observed = pass
      ? `${field} is ${shown.length === 0 ? 'not shown' : JSON.stringify(wanted)}`
      : `${field} is ${shown.map((value) => JSON.stringify(value)).join(', ')}, not ${JSON.stringify(wanted)}`;
    return { name: 'toShow', pass, expected: wanted, actual: received, message: () => received.explain(observed) };
  },
};
