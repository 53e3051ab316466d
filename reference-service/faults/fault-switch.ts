import type { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { CallableId, HeaderName, Operation } from '../../src/spec/index.ts';
import type { HeaderReader } from '../authenticate.ts';
import type { Handler } from '../handler-request.ts';

/** An answer on its way out. */
export interface OutgoingResponse {
  readonly status: number;
  /** By lower-case name; `undefined` takes a header away. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: string | Readable;
}

/** Gives the valid body of a request; throws a `Refusal` for any other. */
export type Validate = (operation: Operation, body: unknown) => unknown;

/**
 * A defect that can be switched on for one operation, or for all. Each hook is made anew when the fault is switched
 * on, so it may remember what it saw.
 */
export interface Fault {
  readonly name: string;
  readonly operation: CallableId | 'all';
  /** The headers that are no longer checked. */
  readonly unchecked?: readonly HeaderName[];
  /** The same, for each request by its own headers. */
  readonly uncheckedWhen?: (read: HeaderReader) => readonly HeaderName[];
  /** The operation's handler, done wrong. */
  readonly handle?: (original: Handler) => Handler;
  /** The check of its body, done wrong. */
  readonly validate?: (original: Validate) => Validate;
  /** What happens before anything else: it may wait, refuse, or take the connection over. */
  readonly arrive?: () => (request: FastifyRequest, reply: FastifyReply) => Promise<void> | void;
  /** What becomes of the answer, a refusal too, on its way out. */
  readonly respond?: () => (response: OutgoingResponse, request: FastifyRequest) => OutgoingResponse;
}

interface Active {
  readonly fault: Fault;
  readonly handlers: Map<Handler, Handler>;
  readonly validators: Map<Validate, Validate>;
  readonly arrive: ReturnType<NonNullable<Fault['arrive']>> | undefined;
  readonly response: ReturnType<NonNullable<Fault['respond']>> | undefined;
}

/** The faults that are on. The service asks at every request, so they can be switched while it runs. */
export class FaultSwitch {
  #active: readonly Active[] = [];

  set(...faults: Fault[]): void {
    this.#active = faults.map((fault) => ({
      fault,
      handlers: new Map(),
      validators: new Map(),
      arrive: fault.arrive?.(),
      response: fault.respond?.(),
    }));
  }

  unchecked(operation: string, read: HeaderReader): ReadonlySet<HeaderName> {
    return new Set(
      this.#of(operation).flatMap(({ fault }) => [...(fault.unchecked ?? []), ...(fault.uncheckedWhen?.(read) ?? [])]),
    );
  }

  handler(operation: string, original: Handler): Handler {
    return this.#of(operation).reduce(
      (handler, { fault, handlers }) => once(handlers, handler, fault.handle) ?? handler,
      original,
    );
  }

  validator(operation: string, original: Validate): Validate {
    return this.#of(operation).reduce(
      (validate, { fault, validators }) => once(validators, validate, fault.validate) ?? validate,
      original,
    );
  }

  async arrived(operation: string, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    for (const { arrive } of this.#of(operation)) await arrive?.(request, reply);
  }

  answered(operation: string, response: OutgoingResponse, request: FastifyRequest): OutgoingResponse {
    return this.#of(operation).reduce((out, active) => active.response?.(out, request) ?? out, response);
  }

  /** Whether answers of an operation pass through a fault at all. */
  tampers(operation: string): boolean {
    return this.#of(operation).some(({ response }) => response);
  }

  #of(operation: string): readonly Active[] {
    return this.#active.filter(({ fault }) => fault.operation === operation || fault.operation === 'all');
  }
}

function once<T>(made: Map<T, T>, original: T, make: ((original: T) => T) | undefined): T | undefined {
  if (!make) return undefined;
  const known = made.get(original) ?? make(original);
  made.set(original, known);
  return known;
}
