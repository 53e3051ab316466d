import type { Fact } from '../facts/index.ts';
import type { Exchange } from '../http/index.ts';
import type { CallableId } from '../service/index.ts';
import { type Category, verdictOfCategory } from './category.ts';
import type { Failure } from './failure.ts';
import { excerpt } from './failure-message.ts';
import { verdicts } from './verdicts.ts';

/** An error that the suite throws. Its category decides the verdict on the scenario. */
export abstract class SuiteError extends Error {
  abstract readonly category: Category;
  /** The call that broke an expectation. */
  readonly exchange?: Exchange | undefined;
  /** A refused documented request. Alone it is no failure, because the operation may accept another request. */
  readonly refused?: Exchange | undefined;
  /**
   * The thing that the scenario lacked through no fault of the service: the provisioner failed, or the environment's test data is used up.
   */
  readonly lacks?: Lacking | undefined;

  /** The failure of the scenario that this error ended. */
  get failure(): Failure {
    const { category, message } = this;
    return { verdict: verdictOfCategory(category), category, reason: excerpt(message, 700) };
  }
}

export type Lacking = 'provisioner' | 'data';

/** Whether an error skips its scenario, because something is missing or nothing was proven. */
export function leavesOut(error: unknown): error is SuiteError {
  return error instanceof SuiteError && !verdicts[verdictOfCategory(error.category)].ran;
}

/** A mistake in Sextant, in a spec or in the configuration. It says nothing about the service. */
export class SuiteFault extends SuiteError {
  readonly category: Category = 'suite-fault';
}

/**
 * Nothing was proven: no valid request was accepted for comparison with the refusal, or the service refuses data that Sextant made up. The
 * scenario is neither green nor red. It is skipped with this reason, and counted separately.
 */
export class Unproven extends SuiteError {
  override readonly name = 'Unproven';
  readonly category = 'unproven';
  override readonly refused: Exchange | undefined;
  readonly #gist: string;

  /**
   * `why` may quote a response; `gist` is the same text without the quotation. `refused` is the documented request that was not accepted.
   */
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

/**
 * A call or a whole scenario was not tried, because something that it needs has failed before. This error has the category and the failure
 * of the earlier one.
 */
export class NotTried extends SuiteFault {
  override readonly name = 'NotTried';
  override readonly category: Category;
  override readonly exchange: Exchange | undefined;
  override readonly lacks: Lacking | undefined;
  readonly #failure: Failure;

  /** `exchange` is the earlier call that failed; `lacks` is what was missing then. */
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

/**
 * A fact says that an operation can be judged, but the service now prevents its judgement, so nobody knows whether the operation still
 * works.
 */
export class Prevented extends SuiteError {
  // Reports show the name first, so it is the verdict.
  override readonly name = 'Unknown';
  readonly category = 'unknown';

  readonly #needs: CallableId;

  constructor(why: string, { operation, question, answer }: Pick<Fact, 'operation' | 'question' | 'answer'>) {
    super(`${why}, although a fact says that it can be judged (${question} of ${operation}: ${answer})`);
    this.#needs = operation as CallableId;
  }

  override get failure(): Failure {
    return { ...super.failure, needs: this.#needs };
  }
}
