/**
 * down: something broke · more: so did something else, or again · part: some of it recovered · still: a reminder ·
 * up: everything recovered · over: nothing of it is left, though not all of it recovered.
 */
export type NoticeKind = 'down' | 'more' | 'part' | 'still' | 'up' | 'over';

export function isLast(kind: NoticeKind | 'expiring' | 'test'): boolean {
  return kind === 'up' || kind === 'over';
}

/** What a channel was last told about an incident. */
export interface Told {
  /** Flips into the incident that it was told of, and not yet of their end. */
  readonly hits: ReadonlySet<number>;
  /** Absent: nothing yet. */
  readonly last?: { readonly kind: NoticeKind; readonly at: number };
}

/** Whether a channel was told of an incident, and not of its end. */
export function isTelling({ last }: Told): boolean {
  return last !== undefined && !isLast(last.kind);
}
