import type { APIRequestContext } from '@playwright/test';
import type { AreaId, Operation } from '../catalogue/index.ts';
import type { Sightings } from './answer.ts';
import type { Caller } from './caller.ts';
import type { DriftLog } from './drift-log.ts';
import type { Exchange, SentRequest } from './exchange.ts';
import type { Ledger } from './ledger.ts';
import type { Observer } from './observer.ts';
import { assertAllowed } from './policy.ts';
import { type HeaderChanges, prepare } from './prepare.ts';
import type { Redactor } from './redactor.ts';
import type { Target } from './target.ts';
import { send } from './transport.ts';

/** What the calls of one scenario share, whoever makes them. */
export interface Surroundings {
  readonly target: Target;
  readonly redactor: Redactor;
  readonly ledger: Ledger;
  /** Holds answers to what surveys learned. */
  readonly drift?: DriftLog;
  readonly observer: Observer;
  /** The request context of an area's base address. */
  readonly context: (area: AreaId) => Promise<APIRequestContext>;
  /** The marks of the next request. */
  readonly marks: () => SentRequest['marks'];
  readonly signal?: AbortSignal;
}

/** One caller in one scenario. Every request of the suite goes through `exchange`. */
export class Session {
  readonly surroundings: Surroundings;
  readonly caller: Caller;
  /** Who calls, for steps and messages; empty for the caller of the environment. */
  readonly actor: string;
  readonly #sightings = new Map<string, Sightings>();

  constructor(surroundings: Surroundings, caller: Caller, actor = '') {
    this.surroundings = surroundings;
    this.caller = caller;
    this.actor = actor;
  }

  /**
   * Sends one request and gives its exchange.
   * @throws NotAllowed, UsageError, MissingCredential: nothing was sent.
   */
  async exchange(operation: Operation, args: unknown, changes: HeaderChanges): Promise<Exchange> {
    const { target, redactor, observer, context, marks, signal } = this.surroundings;
    assertAllowed(operation, target.allowedEffects);
    const prepared = prepare(operation, args, this.caller, target, changes);
    const exchange = await send(await context(operation.area), operation, prepared, marks(), {
      timeoutMs: target.requestTimeoutMs,
      maxBytes: target.maxAnswerBytes,
      redactor,
      ...(signal ? { signal } : {}),
    });
    await observer.exchanged(exchange);
    return exchange;
  }

  sightings(operation: string): Sightings {
    const known = this.#sightings.get(operation) ?? new Set();
    this.#sightings.set(operation, known);
    return known;
  }
}
