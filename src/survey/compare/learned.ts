import type { Facts } from '../../facts/index.ts';
import type { ObservedOperation } from '../../verdict/index.ts';

/** The facts of an environment, and the responses that were observed there. */
export interface Learned {
  readonly facts: Facts;
  readonly answers: readonly ObservedOperation[];
}
