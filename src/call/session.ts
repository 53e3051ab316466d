import { setTimeout as wait } from 'node:timers/promises';
import { type Exchange, type SentRequest, send, type Transport } from '../http/index.ts';
import type { Redactor } from '../redaction/index.ts';
import type { AreaId, Effect, Operation } from '../service/index.ts';
import type { Circumstances, Expected, Observer, ServiceUnderTest } from '../verdict/index.ts';
import type { AwaitedChanges } from './awaited-changes.ts';
import type { ContractLog } from './contract/contract-log.ts';
import type { DriftLog } from './drift/drift-log.ts';
import { assertAllowed, assertDeclared } from './effects.ts';
import type { Ledger } from './ledger.ts';
import { renewal } from './middleware/renewal.ts';
import {
  compose,
  type Ended,
  type Next,
  type OutgoingCall,
  type Stage,
  type Stages,
  TooLate,
} from './middleware/stages.ts';
import { assertArguments, type Caller, type HeaderChanges, prepare } from './requests/prepare.ts';
import type { Sightings } from './response.ts';

/**
 * Runs work that waits for the service (a request, or a pause between two), so that its time doesn't use up the time limit of the scenario
 * itself.
 */
export type DuringCall = <T>(work: () => Promise<T>) => Promise<T>;

export interface SessionContext {
  readonly target: ServiceUnderTest;
  readonly redactor: Redactor;
  readonly ledger: Ledger;
  readonly drift?: DriftLog;
  readonly contract?: ContractLog;
  readonly observer: Observer;
  readonly transport: (area: AreaId) => Promise<Transport>;
  /** The headers that connect a request with its trace. Without `spanId`, the request gets a new span. */
  readonly correlation: (spanId?: string) => SentRequest['correlation'];
  /** Exports the span of a call. */
  readonly traced?: (exchange: Exchange) => void;
  /** The stages that every request goes through before it reaches the socket. */
  readonly stages?: Stages;
  readonly circumstances?: Circumstances;
  /**
   * How the waits for lists ended in the whole run, so that waits that keep failing are shortened. Absent: each wait may take its full
   * time.
   */
  readonly awaitedChanges?: AwaitedChanges;
  /** The gravest effect that the scenario declares in its tags; absent outside scenarios. */
  readonly declared?: Effect | undefined;
  /** Runs each call and each wait, to measure its time. */
  readonly during?: DuringCall;
  /** Aborts calls and waits. Each call and each wait reads this property anew, because the clean-up has its own signal. */
  readonly signal?: AbortSignal | undefined;
  /** Maximum time of a call in ms, even if the target allows more. */
  readonly longestCallMs?: number;
}

/** The requests of one caller, in a scenario or outside of one. Every request of the suite goes through `exchange`. */
export class Session {
  readonly context: SessionContext;
  readonly caller: Caller;
  readonly actor: string;
  readonly #stages: Stages;
  readonly #before: readonly Stage[];
  readonly #sent: Next;
  readonly #sightings = new Map<string, Sightings>();
  /** The operations whose list had more than one page. Each later check of such a list reads all pages. */
  readonly #cut = new Set<string>();

  constructor(context: SessionContext, caller: Caller, actor = '') {
    this.context = context;
    this.caller = caller;
    this.actor = actor;
    this.#stages = context.stages ?? { allowed: [], recorded: [], sent: [] };
    this.#before = [...this.#stages.allowed, ...this.#stages.recorded];
    this.#sent = compose([...this.#stages.sent, renewal(context.redactor, context.target.successWhen)], (call) =>
      this.#send(call),
    );
  }

  /**
   * Sends one request and returns its exchange; if the request is repeated, the last exchange.
   * @throws SuiteFault if nothing was sent.
   */
  async exchange(
    operation: Operation,
    args: unknown,
    changes: HeaderChanges,
    expected: Expected = 'success',
  ): Promise<Exchange> {
    assertDeclared(operation, this.context.declared);
    assertArguments(operation, args);
    const call = { operation, args, changes, expected, session: this };
    return this.during(async () => {
      try {
        const exchange = await this.#pass(call);
        return (await this.#stages.settled?.(call, exchange, (other) => this.#pass(other))) ?? exchange;
      } catch (error) {
        // The scenario of this call has ended. The call never settles, because its error would only disturb the scenario's other calls.
        if (error instanceof TooLate) return new Promise<never>(() => {});
        throw error;
      }
    });
  }

  /** Passes a request through its three stages: allowed, recorded, sent. */
  async #pass(given: OutgoingCall): Promise<Exchange> {
    const ended: Ended[] = [];
    const end = (exchange: Exchange | undefined, error?: unknown) => {
      for (const each of ended.splice(0).reverse()) each(exchange, error);
    };
    try {
      let call = given;
      for (const stage of this.#before) {
        const decision = stage(call);
        // Most stages decide at once, and a wait for each of them costs more than their decisions.
        const stand = decision instanceof Promise ? await decision : decision;
        if (stand?.known) return stand.known;
        call = stand?.instead ?? call;
        if (stand?.ended) ended.push(stand.ended);
      }
      const exchange = await this.#sent(call);
      end(exchange);
      return exchange;
    } catch (error) {
      end(undefined, error);
      throw error;
    }
  }

  /** The only way to the socket. It checks the effect here, so no stage can send anything that the environment does not allow. */
  async #send({ operation, args, changes }: OutgoingCall): Promise<Exchange> {
    const { target, redactor, observer, transport, correlation, signal, longestCallMs } = this.context;
    assertAllowed(operation, target.allowedEffects);
    const prepared = prepare(operation, args, this.caller, target, changes);
    const exchange = await send(await transport(operation.area), operation, prepared, correlation(), {
      timeoutMs: Math.min(target.requestTimeoutMs, longestCallMs ?? Number.POSITIVE_INFINITY),
      maxBytes: target.maxAnswerBytes,
      maxHeaderBytes: target.maxHeaderBytes,
      redactor,
      route: target.route,
      ...(signal ? { signal } : {}),
    });
    this.context.traced?.(exchange);
    await observer.exchanged(exchange);
    return exchange;
  }

  during<T>(work: () => Promise<T>): Promise<T> {
    return this.context.during ? this.context.during(work) : work();
  }

  /** Waits, without counting the time for the scenario. */
  pause(ms: number): Promise<void> {
    return this.during(() => wait(ms, undefined, this.context));
  }

  isCut(operation: string): boolean {
    return this.#cut.has(operation);
  }

  noteCut(operation: string): void {
    this.#cut.add(operation);
  }

  sightings(operation: string): Sightings {
    const known = this.#sightings.get(operation) ?? new Set();
    this.#sightings.set(operation, known);
    return known;
  }
}
