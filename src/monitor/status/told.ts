/**
 * down: something broke · more: so did something else, of the same cause · still: a reminder · up: all of it has recovered, or is no
 * longer monitored.
 */
export type NoticeKind = 'down' | 'more' | 'still' | 'up';

/** What a route was told of an incident. */
export interface Told {
  readonly kind: NoticeKind;
  /** By the steady clock, in ms. */
  readonly at: number;
  /** It was told that nothing of it is left. */
  readonly isOver: boolean;
  /** By environment: how far it was said to reach; empty once it is over. */
  readonly said: Extent;
  /** The same with what it was told of as recovered since. */
  readonly ever: Extent;
  /** The last flip of the last `down` or `more`: who acknowledged it has taken on all before. */
  readonly news: number;
  /** The last flip before the `down` after which all this is told. */
  readonly before: number;
}

/** What was said to be broken in an environment: what fails there later only follows. */
export interface Said {
  readonly addresses: readonly string[];
  readonly width: number;
  /** What can no longer run is told by its name: each may lack something else. */
  readonly titles: readonly string[];
}

export type Extent = Readonly<Record<string, Said>>;
