import type { APIRequestContext } from '@playwright/test';
import type { AreaId, Operation } from '../spec/index.ts';
import type { Caller } from './caller.ts';
import type { DriftLog } from './drift/drift-log.ts';
import type { Exchange, SentRequest } from './exchange.ts';
import { send } from './http/transport.ts';
import { assertAllowed } from './middleware/effect-guard.ts';
import { type Gate, type Outgoing, through } from './middleware/middleware.ts';
import type { Observer } from './observer.ts';
import { type HeaderChanges, prepare } from './prepare.ts';
import type { Redactor } from './redaction/redactor.ts';
import type { Sightings } from './response.ts';
import type { Target } from './target.ts';
import type { Outcome } from './verdict/judge.ts';
import type { Ledger } from './verdict/ledger.ts';

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
  /** What every request passes on its way, the first one outermost. */
  readonly gates?: readonly Gate[];
  /** Ends calls and waits under way; read anew for each. */
  readonly signal?: AbortSignal | undefined;
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
   * Sends one request through the gates and gives its exchange: the last one, where a gate sends it again.
   * @throws SuiteFault: nothing was sent.
   */
  exchange(
    operation: Operation,
    args: unknown,
    changes: HeaderChanges,
    outcome: Outcome = 'success',
  ): Promise<Exchange> {
    const onward = through(this.surroundings.gates ?? [], (call) => this.#send(call));
    return onward({ operation, args, changes, outcome, session: this });
  }

  /** The only way to the socket; what isn't allowed goes no further, whatever the gates made of it. */
  async #send({ operation, args, changes }: Outgoing): Promise<Exchange> {
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
