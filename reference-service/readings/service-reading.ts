import { type CallableId, operation, operationIds } from '../../src/spec/index.ts';
import type { Fault } from '../faults/fault-switch.ts';
import type { Handler } from '../handler-request.ts';

/** One reading of one open question, as this service can have it. */
export interface ServiceReading {
  /**
   * The changes to the service; empty where it decides so anyway. `spared` is the operation that a fault is in (`all` for
   * every one): a reading that takes bodies away leaves that one's, or there would be nothing left to be wrong.
   */
  readonly changes: (spared: string) => readonly Fault[];
  /** The success signal for SUCCESS_WHEN, if the status isn't one. */
  readonly successWhen?: { readonly pointer: string; readonly value: unknown; readonly text: string };
}

/** Decided so already. */
export const asItIs: ServiceReading = { changes: () => [] };

export function reading(...changes: readonly Fault[]): ServiceReading {
  return { changes: () => changes };
}

/** The operations that leave something behind. */
export const changing = operationIds.filter((id) => operation(id).effect !== 'read');

/** One operation, done otherwise. */
export function otherwise(id: CallableId | 'all', hooks: Omit<Fault, 'name' | 'operation'>): Fault {
  return { name: `${id} otherwise`, operation: id, ...hooks };
}

/** A handler that looks at what it is asked for, and refuses it, before it does it. */
export function unless(look: (visit: Parameters<Handler>[0]) => void): NonNullable<Fault['handle']> {
  return (honest) => (visit) => {
    look(visit);
    return honest(visit);
  };
}
