import { type CallArguments, type CallableId, operation, operationIds } from '../../src/service/index.ts';
import type { Fault } from '../faults/fault-switch.ts';
import { type AnyHooks, hooksOf } from '../faults/kind.ts';
import type { MakeHandler } from '../faults/tamper.ts';

/** A way in which this service can decide a point that the specification leaves open. */
export interface ServiceReading {
  /**
   * The changes to the service; empty if the unchanged service follows this reading. `spared` is the operation that has a fault, or `all`.
   * If a reading removes bodies, it must keep those of `spared`, because otherwise nothing could show the fault.
   */
  readonly changes: (spared: string) => readonly Fault[];
  /** The value for SUCCESS_WHEN. Present if the status doesn't show whether a request succeeded. */
  readonly successWhen?: { readonly pointer: string; readonly value: unknown; readonly text: string };
}

/**
 * For each question that the specification leaves open, the readings that this service supports, by name. The first reading is the
 * unchanged service. Questions about the form of arguments have the names in `src/questions/forms.ts`.
 */
export type Readings = Readonly<Record<string, Readonly<Record<string, ServiceReading>>>>;

/** The reading that changes nothing in the service. */
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
