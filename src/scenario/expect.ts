import { expect as base } from '@playwright/test';
import { ApiResponse, type ShownField, shownValues } from '../client/index.ts';

/** Playwright's `expect` with the suite's own matchers. A message led by a grade says where an expectation comes from. */
export const expect = base.extend({
  /** Whether an id stands anywhere in an answer. `.not` needs evidence: this run must have seen the list at work. */
  toMention(received: ApiResponse, id: string) {
    if (!(received instanceof ApiResponse))
      throw new TypeError('toMention looks into an answer: pass what a call gave.');
    const found = received.mentions(id);
    const provesNothing = this.isNot && !found && !received.provesAbsenceOf(id);
    const where = received.entries === undefined ? 'the answer' : `${received.entries} entries`;
    received.lacksEvidence = provesNothing;
    const observed = provesNothing
      ? `${JSON.stringify(id)} is not in ${where}, which proves nothing: this run never saw it there, nor anything else`
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
  toShow(
    received: ApiResponse,
    field: ShownField,
    written: { readonly name?: string } & Partial<Record<ShownField, string>>,
  ) {
    const { name = '', [field]: wanted = '' } = written;
    const shown = shownValues(received.json, name, field);
    const pass = shown.length === 0 || received.mentions(wanted);
    const observed = pass
      ? `${field} is ${shown.length === 0 ? 'not shown' : JSON.stringify(wanted)}`
      : `${field} is ${shown.map((value) => JSON.stringify(value)).join(', ')}, not ${JSON.stringify(wanted)}`;
    return { name: 'toShow', pass, expected: wanted, actual: received, message: () => received.explain(observed) };
  },
});
