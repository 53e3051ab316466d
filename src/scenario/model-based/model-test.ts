import type * as FastCheck from 'fast-check';
import type { Actors } from './actors.ts';

/** Random plans, and what must hold while one is carried out. */
export interface ModelTest<Plan> {
  /** Made with the library that is handed in: only a run of such a test loads it. */
  plans(random: typeof FastCheck): FastCheck.Arbitrary<Plan>;
  /** The most requests that one plan takes, about. */
  readonly requests: number;
  /**
   * Carries a plan out from a clean start; what it leaves behind is declared to the actors.
   * @throws Skipped where the environment lacks what it needs.
   */
  perform(plan: Plan, actors: Actors): Promise<void>;
  /** The plan without one of its steps, each in turn. */
  shorter(plan: Plan): Plan[];
  /** The plan as a story, a line for each step. */
  describe(plan: Plan): string[];
}

/** A list without one of its elements, each in turn. */
export function withoutOne<T>(list: readonly T[]): T[][] {
  return list.map((_, index) => list.toSpliced(index, 1));
}
