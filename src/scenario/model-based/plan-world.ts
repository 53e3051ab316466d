import type { WorldWithData } from '../data/data-values.ts';

/** The parts of a scenario's world that random plans need; each plan has a separate world. */
export interface PlanWorld extends WorldWithData {
  /** Another world of the same scenario, with fresh users if possible, and separate clean-up. */
  another(): PlanWorld;
  /** Cleans up; returns the errors. */
  close(options: { readonly verify: boolean }): Promise<unknown[]>;
}
