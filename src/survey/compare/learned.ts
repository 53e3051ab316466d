import type { ObservedOperation } from '../../client/index.ts';
import type { Facts } from '../../engine/facts/index.ts';

/** What is known of an environment: its facts, and the responses that were observed. */
export interface Learned {
  readonly facts: Facts;
  readonly answers: readonly ObservedOperation[];
}
