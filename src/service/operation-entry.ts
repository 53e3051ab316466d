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
  /** The operation that undoes this one when sent with the same arguments. */
  readonly undo?: string;
  /** The operation that lists for the sender what this operation has changed, by the id in the request. */
  readonly shownBy?: string;
  /** The operation that lists the sender for the other user, whose id is in the request. */
  readonly shownToThemBy?: string;
  /** A list with two numeric path parameters, whose values are in BLOCK_LIST_SEGMENTS. */
  readonly isPaged?: true;
  /** The operation that restores the values which this one overwrites. It needs `readProfile` to know these values. */
  readonly restoredBy?: string;
  readonly usesUp?: {
    /** The thing that is used up, in words; `{name}` is an argument. */
    readonly what: string;
    /** The data that the next request needs: another item, a fresh user, or a free version label. */
    readonly renewedBy: 'item' | 'user' | 'label';
  };
  /** The same request adds or updates something, so it may succeed in two ways (specification, part 4, rule 1). */
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
