import type { Red } from '../drilled.ts';

/** The outcomes of the scenarios on one service. */
export interface Played {
  readonly ran: readonly string[];
  readonly red: readonly Red[];
  /** Titles of those that could not prove anything there, and of those that could not be played. */
  readonly unproven: readonly string[];
  readonly skipped: readonly string[];
}

/** One run of the spread: a reading alone, or with a fault in it. */
export interface Task {
  /** The row's place in the spread. */
  readonly row: number;
  readonly fault?: string;
}

export interface TaskOutcome extends Played {
  readonly task: Task;
}
