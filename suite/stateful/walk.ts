import type { Arbitrary } from 'fast-check';
import type { World } from '../world.ts';
import type { Crew } from './crew.ts';

/** Random plans, and what must hold while one is carried out. */
export interface Walk<Plan> {
  readonly plans: Arbitrary<Plan>;
  /** The most requests that one plan takes, about. */
  readonly requests: number;
  /** Carries a plan out from a clean start, and cleans up after it, whatever came of it. */
  perform(plan: Plan): Promise<void>;
  /** The plan as a story, a line for each step. */
  tell(plan: Plan): string[];
}

/**
 * Makes a walk for a scenario's world.
 * @throws Skipped where the environment lacks what it needs.
 */
export type WalkMaker<Plan> = (world: World, crew: Crew) => Promise<Walk<Plan>>;
