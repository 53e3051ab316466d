import { type CallArguments, type CallableId, operation, operationIds } from '../../src/service/index.ts';
import type { Fault } from '../faults/fault-switch.ts';
import { type AnyHooks, hooksOf } from '../faults/kind.ts';
import type { MakeHandler } from '../faults/tamper.ts';

/** One of the ways in which this service can read an open point of the specification. */
export interface ServiceReading {
  /**
   * The changes to the service; empty if it behaves like this anyway. `spared` is the operation that has a fault (`all`: every operation has it). A
   * reading that removes bodies keeps the bodies of that operation, because otherwise nothing could show the fault.
   */
  readonly changes: (spared: string) => readonly Fault[];
  /** The success signal for SUCCESS_WHEN, if the status doesn't show success. */
  readonly successWhen?: { readonly pointer: string; readonly value: unknown; readonly text: string };
}

/**
 * The questions that the specification leaves open about a service. Each has the answers that this service can have, the plain one first. A question
 * about the form of arguments has its name from `src/questions/forms.ts`.
 */
export type Readings = Readonly<Record<string, Readonly<Record<string, ServiceReading>>>>;

/** The reading of the unchanged service. */
export const asItIs: ServiceReading = { changes: () => [] };

type Changes = {
  readonly [O in CallableId]?: AnyHooks & { readonly handle?: MakeHandler<CallArguments<O>> };
} & { readonly all?: AnyHooks };

export function reading(table: Changes): ServiceReading {
  const changes = Object.entries<AnyHooks>(table).map(([id, hooks]) => otherwise(id as keyof Changes, hooks));
  return { changes: () => changes };
}

export const changing = operationIds.filter((id) => operation(id).effect !== 'read');

export function otherwise(id: keyof Changes, hooks: AnyHooks): Fault {
  return { name: `${id} otherwise`, operation: id, ...hooksOf(hooks) };
}
