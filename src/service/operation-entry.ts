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
  /** The operation that lists for the same user what this one changes, by the id that it was sent. */
  readonly shownBy?: string;
  /** The operation that lists the sender for the user whom this one is sent for. */
  readonly shownToThemBy?: string;
  /** A list whose two numeric path parameters are those of BLOCK_LIST_SEGMENTS. */
  readonly isPaged?: true;
  /** The operation that puts back the values which this one overwrites, where `readProfile` shows them. */
  readonly restoredBy?: string;
  readonly usesUp?: {
    /** A description in words; `{name}` is an argument. */
    readonly what: string;
    /** The data that the next request needs: another item, a fresh user, or a free version label. */
    readonly renewedBy: 'item' | 'user' | 'label';
  };
  /** The same request adds or updates, so it may succeed in two ways (part 4, rule 1). */
  readonly addsOrUpdates?: true;
  readonly extraHeaders?: Readonly<Record<string, string>>;
}

/**
 * The effect of an operation, from harmless to permanent: none · one that another operation undoes ·
 * a replaced value · a permanent change.
 */
export const effects = ['read', 'reversible', 'overwriting', 'irreversible'] as const;

export type Effect = (typeof effects)[number];

export function gravest(found: Iterable<Effect>): Effect {
  let worst = 0;
  for (const effect of found) worst = Math.max(worst, effects.indexOf(effect));
  return effects[worst] as Effect;
}
