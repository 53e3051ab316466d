import type { ObservedOperation } from '../../call/index.ts';
import type { Facts } from '../../facts/index.ts';

/** The facts of an environment, and the responses that were observed there. */
export interface Learned {
  readonly facts: Facts;
  readonly answers: readonly ObservedOperation[];
}
