import type { CallableId, HeaderName, Operation } from '../../src/service/index.ts';
import type { HeaderReader } from '../authenticate.ts';
import type { Handler } from '../handler-request.ts';
import type { Hooks, OutgoingResponse, Reply, ServiceRequest } from '../json-server.ts';

/** Returns the body of a request if it is valid. Throws a `Refusal` if it isn't. */
export type Validate = (operation: Operation, body: unknown) => unknown;

/**
 * A defect that can be switched on for one operation, or for all. Each hook is created when the fault is switched on, so it can keep state
 * from one request to the next.
 */
export interface Fault {
  readonly name: string;
  readonly operation: CallableId | 'all';
  readonly unchecked?: readonly HeaderName[];
  /** Returns the headers that the service doesn't check in a request. `read` returns the request's own headers. */
  readonly uncheckedWhen?: (read: HeaderReader) => readonly HeaderName[];
  readonly handle?: (original: Handler) => Handler;
  readonly validate?: (original: Validate) => Validate;
  /** Called before anything else. The hook may wait, reject the request, reply itself, or take over the connection. */
  readonly arrive?: () => (request: ServiceRequest) => Arrived | Promise<Arrived>;
  /** Changes a response, including a rejection, before it is sent. */
  readonly respond?: () => (response: OutgoingResponse, request: ServiceRequest) => OutgoingResponse;
}

type Arrived = Reply | 'taken' | undefined;

interface Active {
  readonly fault: Fault;
  /** For each original function, the faulty version. A faulty version may keep state between requests, so it is created only once. */
  readonly made: Map<unknown, unknown>;
  readonly arrive: ReturnType<NonNullable<Fault['arrive']>> | undefined;
  readonly respond: ReturnType<NonNullable<Fault['respond']>> | undefined;
}

/** The active faults. The service looks them up at every request, so they can be switched while it runs. */
export class FaultSwitch implements Hooks {
  #active: readonly Active[] = [];

  set(...faults: Fault[]): void {
    this.#active = faults.map((fault) => {
      return { fault, made: new Map(), arrive: fault.arrive?.(), respond: fault.respond?.() };
    });
  }

  unchecked(operation: string, read: HeaderReader): ReadonlySet<HeaderName> {
    return new Set(
      this.#of(operation).flatMap(({ fault }) => [...(fault.unchecked ?? []), ...(fault.uncheckedWhen?.(read) ?? [])]),
    );
  }

  handler(operation: string, original: Handler): Handler {
    return this.#changed(operation, original, ({ handle }) => handle);
  }

  validator(operation: string, original: Validate): Validate {
    return this.#changed(operation, original, ({ validate }) => validate);
  }

  async arrived(request: ServiceRequest): Promise<Reply | 'taken' | undefined> {
    for (const { arrive } of this.#of(request.operation)) {
      const end = await arrive?.(request);
      if (end) return end;
    }
    return undefined;
  }

  answered(response: OutgoingResponse, request: ServiceRequest): OutgoingResponse {
    return this.#of(request.operation).reduce((out, active) => active.respond?.(out, request) ?? out, response);
  }

  #changed<T>(operation: string, original: T, of: (fault: Fault) => ((original: T) => T) | undefined): T {
    return this.#of(operation).reduce((before, { fault, made }) => {
      const changed = (made.get(before) as T | undefined) ?? of(fault)?.(before) ?? before;
      made.set(before, changed);
      return changed;
    }, original);
  }

  #of(operation: string): readonly Active[] {
    return this.#active.filter(({ fault }) => fault.operation === operation || fault.operation === 'all');
  }
}
