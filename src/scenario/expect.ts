import { expect as base } from '@playwright/test';
import { ApiResponse } from '../client/index.ts';

/** Playwright's `expect` with the suite's own matchers. A message led by a grade says where an expectation comes from. */
export const expect = base.extend({
  /** Whether an id stands anywhere in an answer. `.not` needs evidence: this run must have seen the list at work. */
  toMention(received: ApiResponse, id: string) {
    if (!(received instanceof ApiResponse))
      throw new TypeError('toMention looks into an answer: pass what a call gave.');
    const found = received.mentions(id);
    const provesNothing = this.isNot && !found && !received.provesAbsenceOf(id);
    const where = received.entries === undefined ? 'the answer' : `${received.entries} entries`;
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
});
