import type * as FastCheck from 'fast-check';
import type { Actors } from './actors.ts';

/** Random plans, and the expectations while one is carried out. */
export interface ModelTest<Plan> {
  /** Gets the library as an argument, so that only a model test loads it. */
  plans(random: typeof FastCheck): FastCheck.Arbitrary<Plan>;
  /** Approximate maximum number of requests per plan. */
  readonly requests: number;
  /**
   * Carries out a plan from a clean start; declares its clean-up to the actors.
   * @throws Skipped if the environment lacks something.
   */
  perform(plan: Plan, actors: Actors): Promise<void>;
  /** The plans without one of the steps. */
  shorter(plan: Plan): Plan[];
  /** The plan in words, one line per step. */
  describe(plan: Plan): string[];
}

/** The lists without one of the elements. */
export function withoutOne<T>(list: readonly T[]): T[][] {
  return list.map((_, index) => list.toSpliced(index, 1));
}
