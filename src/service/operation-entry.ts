import type { RequestSchemaName } from '../../schemas/index.ts';
import type { AreaId } from './areas.ts';
import type { HeaderSetId } from './headers.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

export interface OperationEntry {
  readonly title: string;
  readonly area: AreaId;
  readonly method: Method;
  /** Path below the base address; `{name}` is a path parameter. */
  readonly path: `/v1/${string}`;
  readonly headerSet: HeaderSetId;
  readonly request?: RequestSchemaName;
  readonly effect: Effect;
  /** The operation that undoes this one. Sextant sends it with the same arguments. */
  readonly undo?: string;
  /** The operation with which the sender can list what this operation has changed. Its list contains the id from the request. */
  readonly shownBy?: string;
  /** The operation with which the other user, whose id is in the request, can see the change. Its list contains the sender. */
  readonly shownToThemBy?: string;
  /** The list has two numeric path parameters. Their values are in BLOCK_LIST_SEGMENTS. */
  readonly isPaged?: true;
  /** The operation that restores the values that this operation overwrites. Sextant needs `readProfile` to know the old values. */
  readonly restoredBy?: string;
  readonly usesUp?: {
    /** The thing that the operation uses up, in words; `{name}` is an argument. */
    readonly what: string;
    /** The data that another request needs: another item, a fresh user, or an unused version label. */
    readonly renewedBy: 'item' | 'user' | 'label';
  };
  /**
   * The operation adds something or updates it, depending on what exists, so there may be two statuses for success (specification, part 4,
   * rule 1).
   */
  readonly addsOrUpdates?: true;
  readonly extraHeaders?: Readonly<Record<string, string>>;
}

/**
 * The effect of an operation, from harmless to permanent: no change · a change that another operation undoes · a replaced
 * value · a permanent change.
 */
export const effects = ['read', 'reversible', 'overwriting', 'irreversible'] as const;

export type Effect = (typeof effects)[number];

export function gravest(found: Iterable<Effect>): Effect {
  let worst = 0;
  for (const effect of found) worst = Math.max(worst, effects.indexOf(effect));
  return effects[worst] as Effect;
}
