import { type CallableId, type OperationId, operations } from '../../spec/index.ts';
import type { Exchange } from '../http/exchange.ts';
import { ExpectationLog } from '../observer/observer.ts';
import { factKey, type LearnedFact, type ServiceUnderTest } from '../target/target.ts';
import type { CallSite } from '../verdict/expectation-error.ts';
import { type Expected, isSuccess, judge } from '../verdict/judge.ts';
import { driftOf } from './drift.ts';

export class DriftLog extends ExpectationLog {
  /**
   * Checks a response with `outcome`; `site` has the stack of the spec's line. Learned schemas describe responses to
   * valid requests: a response to an invalid one (`isValid` false) may repeat it and isn't checked.
   */
  hold(exchange: Exchange, outcome: Expected, site: CallSite, isValid: boolean): void {
    if (!isValid) return;
    const { observed, successWhen, drift } = this.target;
    const known = observed?.get(exchange.operation);
    // A survey learns nothing about other methods.
    if (!known || exchange.request.method !== methodOf(exchange.operation, this.target)) return;
    const { broken, noted } = driftOf(exchange, known, successWhen);
    for (const text of noted) this.note('new', `${exchange.operation}: ${text}`);
    if (broken.length === 0) return;
    const isFirst = this.note('drift', `${exchange.operation}: ${broken.join('; ')}`);
    if (!isFirst || drift !== 'fail') return;
    const what = outcome === 'refusal' ? 'a rejection' : 'a response';
    const claim = `learned: ${what} of ${exchange.operation} has the observed shape` as const;
    this.add(exchange, { verdict: 'drifted', claim, observed: broken.join('; ') }, site);
  }

  /** Checks the response to a repeated request: it must have the surveyed outcome. */
  holdRepeat(exchange: Exchange, site: CallSite): void {
    const { facts, successWhen } = this.target;
    const fact = facts?.get(factKey(exchange.operation, 'repeat'));
    const { operation, response } = exchange;
    if (!fact || !response) return;
    const isDone = isSuccess(operation, response, successWhen);
    const isRefused = !isDone && judge(exchange, 'refusal', successWhen) === undefined;
    const now = isDone ? 'accepted' : isRefused ? `refused with ${response.status}` : undefined;
    if (now !== undefined && now !== fact.answer) this.broke(fact, now, exchange, site);
  }

  /** Records that a fact no longer holds: it is `now`, as `exchange` shows. */
  broke(fact: LearnedFact, now: string, exchange: Exchange, site: CallSite): void {
    const { operation, question, answer, observedAt, evidence } = fact;
    const isFirst = this.note('drift', `${operation}: ${question} is ${now}, but a survey found ${answer}`);
    if (!isFirst || this.target.drift !== 'fail') return;
    const seen = evidence.at(-1)?.excerpt;
    const before = `${observedAt ? `on ${observedAt.slice(0, 10)}` : 'then'} it was ${answer}${seen ? `, as in ${seen}` : ''}`;
    const claim = `learned: ${question} of ${operation} is as the survey found: ${answer}` as const;
    this.add(exchange, { verdict: 'drifted', claim, observed: `${now}; ${before}` }, site);
  }
}

function methodOf(id: CallableId, { readProfile }: ServiceUnderTest): string | undefined {
  return id in operations ? operations[id as OperationId].method : readProfile?.method;
}
