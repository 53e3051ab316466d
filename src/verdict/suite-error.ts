import type { Fact } from '../facts/index.ts';
import type { Exchange } from '../http/index.ts';
import type { CallableId } from '../service/index.ts';
import { type Category, verdictOfCategory } from './category.ts';
import type { Failure } from './failure.ts';
import { excerpt } from './failure-message.ts';
import { verdicts } from './verdicts.ts';

/** An error of the suite. It states its category, and with it the verdict on the scenario. */
export abstract class SuiteError extends Error {
  abstract readonly category: Category;
  /** The call that broke an expectation. */
  readonly exchange?: Exchange | undefined;
  /** The response to a documented request that was refused and fails nothing: alone, it doesn't say whether the operation works. */
  readonly refused?: Exchange | undefined;
  /** A need outside of the service that is not met: the helper that makes users failed, or the environment's test data is used up. */
  readonly lacks?: Lacking | undefined;

  /** The failure of its scenario. */
  get failure(): Failure {
    const { category, message } = this;
    return { verdict: verdictOfCategory(category), category, reason: excerpt(message, 700) };
  }
}

export type Lacking = 'provisioner' | 'data';

/** Whether an error leaves its scenario out: something is lacking, or nothing was proved. */
export function leavesOut(error: unknown): error is SuiteError {
  return error instanceof SuiteError && !verdicts[verdictOfCategory(error.category)].ran;
}

/** A mistake of the suite, found before anything was sent. It says nothing about the service. */
export class SuiteFault extends SuiteError {
  readonly category: Category = 'suite-fault';
}

/**
 * Nothing was proved: no valid request was accepted next to the refusal, or the service refuses data that the suite made up. The
 * scenario is neither green nor red: it is skipped with this reason, and counted apart.
 */
export class Unproven extends SuiteError {
  override readonly name = 'Unproven';
  readonly category = 'unproven';
  override readonly refused: Exchange | undefined;
  readonly #gist: string;

  /** `gist` is `why` without the response that it quotes, if it does; `refused` the documented request that was not accepted. */
  constructor(why: string, gist = why, refused?: Exchange) {
    super(`unproven: ${why}`);
    this.#gist = `unproven: ${gist}`;
    this.refused = refused;
  }

  override get failure(): Failure {
    return { ...super.failure, ...(this.#gist === this.message ? {} : { gist: this.#gist }) };
  }
}

/** The requested change was made before, and this service makes it only once. */
export class DoneBefore extends Unproven {}

/** A call or a whole scenario was not tried, because what it needs has failed before: it has that failure. */
export class NotTried extends SuiteFault {
  override readonly name = 'NotTried';
  override readonly category: Category;
  override readonly exchange: Exchange | undefined;
  override readonly lacks: Lacking | undefined;
  readonly #failure: Failure;

  /** `exchange`: the call that was lost before; `lacks`: what was lacking then. */
  constructor(failure: Failure, { exchange, lacks }: Pick<SuiteError, 'exchange' | 'lacks'> = {}) {
    super(`not tried: ${failure.reason}`);
    this.category = failure.category;
    this.exchange = exchange;
    this.lacks = lacks;
    this.#failure = { ...failure, merely: 'not tried' };
  }

  override get failure(): Failure {
    return this.#failure;
  }
}

/** A fact of the environment says that it can be judged, and the service prevents it: nobody knows whether it still works. */
export class Prevented extends SuiteError {
  // Reports show the name first.
  override readonly name = 'Unknown';
  readonly category = 'unknown';

  readonly #needs: CallableId;

  constructor(why: string, { operation, question, answer }: Pick<Fact, 'operation' | 'question' | 'answer'>) {
    super(`${why}, though a fact says that it can be judged: ${question} of ${operation} is ${answer}`);
    this.#needs = operation as CallableId;
  }

  override get failure(): Failure {
    return { ...super.failure, needs: this.#needs };
  }
}
