import { type CallArguments, type CallableId, operation, operationIds } from '../../src/service/index.ts';
import type { Fault } from '../faults/fault-switch.ts';
import { type AnyHooks, hooksOf } from '../faults/kind.ts';
import type { MakeHandler } from '../faults/tamper.ts';

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

/**
 * The questions that the specification leaves open about a service, each with the answers that this service can have, the plain one first. A
 * form of arguments has the name of its question in `src/questions/forms.ts`.
 */
export type Readings = Readonly<Record<string, Readonly<Record<string, ServiceReading>>>>;

/** Decided so already. */
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
