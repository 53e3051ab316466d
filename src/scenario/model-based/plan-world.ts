import type { WorldWithData } from '../data-values.ts';

/** What carrying out random plans takes of a scenario's world: each plan has a world of its own. */
export interface PlanWorld extends WorldWithData {
  /** Another world of the same scenario: its own users, where they can be made, and its own clean-up. */
  another(): PlanWorld;
  /** Cleans up; gives what went wrong. */
  close(options: { readonly verify: boolean }): Promise<unknown[]>;
}
