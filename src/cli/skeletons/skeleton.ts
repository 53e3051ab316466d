import type { Change } from './insert.ts';

/** What `sextant new` writes: it compiles, is formatted, and is red until it is filled in. */
export interface Skeleton {
  readonly changes: readonly Change[];
  /** What is to be done now, a line each. */
  readonly next: readonly string[];
}
