import type { CallableId, HeaderName } from '../catalogue/index.ts';
import type { Handler } from './visit.ts';

/** A defect that can be switched on for one operation. */
export interface Fault {
  readonly name: string;
  readonly operation: CallableId;
  /** The headers that are no longer checked. */
  readonly unchecked?: readonly HeaderName[];
  /** The operation's handler, done wrong. */
  readonly handle?: (honest: Handler) => Handler;
}

/** The faults that are on. The service asks at every request, so they can be switched while it runs. */
export class FaultSwitch {
  #active: readonly Fault[] = [];

  set(...faults: Fault[]): void {
    this.#active = faults;
  }

  unchecked(operation: string): ReadonlySet<HeaderName> {
    return new Set(this.#of(operation).flatMap(({ unchecked }) => unchecked ?? []));
  }

  handler(operation: string, honest: Handler): Handler {
    return this.#of(operation).reduce((handler, { handle }) => handle?.(handler) ?? handler, honest);
  }

  #of(operation: string): readonly Fault[] {
    return this.#active.filter((fault) => fault.operation === operation);
  }
}
