import { type ApiResponse, callSite, ExpectationError, inside } from '../../client/index.ts';
import { learnedText, noteOutcome, type Outcome, recall, type Subject } from '../data/memory.ts';
import type { WorldBasis } from '../data/world-basis.ts';

/**
 * Holds the outcome of a request that the specification leaves open to what it always was here: accepted or refused. `what` names the
 * request among those of its operation.
 */
export function asBefore({ environment }: WorldBasis) {
  return function answersAsBefore(response: ApiResponse, what: string): void {
    const { exchange } = inside(response);
    const subject: Subject = { operation: exchange.operation, of: ['as before', what] };
    const [outcome, other] = (response.isRefusal ? ['refused', 'accepted'] : ['accepted', 'refused']) as [
      Outcome,
      Outcome,
    ];
    const known = recall(environment, subject);
    if (!known?.[other] || known[outcome]) {
      noteOutcome(environment, subject, outcome, exchange.startedAt);
      return;
    }
    throw new ExpectationError(exchange, {
      verdict: 'drifted',
      claim: `learned: ${exchange.operation} of ${what} is ${other} here`,
      observed: `it was ${outcome}; ${learnedText(environment, known, other, Date.now())}`,
    }).at(callSite(answersAsBefore));
  };
}
