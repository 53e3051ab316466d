/**
 * down: something broke · more: so did something else, of the same cause · still: a reminder · up: all of it has recovered, or is no
 * longer monitored.
 */
export type NoticeKind = 'down' | 'more' | 'still' | 'up';

/** A route's knowledge of an incident. */
export interface Told {
  readonly kind: NoticeKind;
  /** By the steady clock, in ms. */
  readonly at: number;
  /** The route was told that the incident is over. */
  readonly isOver: boolean;
  /** By environment: the extent that notices named; empty once the incident is over. */
  readonly said: Extent;
  /** The same, including what notices reported as recovered since. */
  readonly ever: Extent;
  /** The last flip of the last `down` or `more`: who acknowledged it has taken on all before. */
  readonly news: number;
  /** The last flip before the `down` that began this series of notices. */
  readonly before: number;
}

/** The extent that notices named in one environment: later failures within it are no news. */
export interface Said {
  readonly addresses: readonly string[];
  readonly width: number;
  /** Scenarios that can no longer run, by title: each may lack something else. */
  readonly titles: readonly string[];
}

export type Extent = Readonly<Record<string, Said>>;
