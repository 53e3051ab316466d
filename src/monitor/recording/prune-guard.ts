import { pruneNotices } from '../history/outbox.ts';
import { newestRun, pruneSome } from '../history/runs.ts';
import type { Clock } from '../schedule/clock.ts';
import type { RunRecorder } from './run-recorder.ts';

const DAY_MS = 86_400_000;
/** Maximum drift between a machine's clocks per day. */
const DRIFT_MS = 3_600_000;

type Pruned = Pick<RunRecorder, 'db' | 'scenarios'>;

/**
 * Whether the calendar can be trusted with deleting what is old. A calendar that was set years ahead, by an empty battery or by
 * mistake, would cost the whole history; one that stays there for a day is believed.
 */
export class PruneGuard {
  readonly #clock: Clock;
  #last: { readonly wall: number; readonly mono: number } | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The steps of pruning; none where the calendar can't be trusted. Raw runs are kept for `keepRunsMs`. */
  pruning(recorder: Pruned, keepRunsMs: number): Iterator<void> | undefined {
    return this.mayPrune(newestRun(recorder.db)) ? pruning(recorder, this.#clock.wall(), keepRunsMs) : undefined;
  }

  /** To be called before each pruning; `newest` is when the last run began that was written down, an epoch in ms. */
  mayPrune(newest: number | undefined): boolean {
    const [wall, mono] = [this.#clock.wall(), this.#clock.mono()];
    const before = this.#last;
    this.#last = { wall, mono };
    if (before) return Math.abs(wall - before.wall - (mono - before.mono)) <= DRIFT_MS;
    // At a start, only the history shows the earlier time.
    return newest === undefined || (wall - newest < 7 * DAY_MS && newest - wall < DRIFT_MS);
  }
}

/** Deletes what has expired, a little in each step. */
export function* pruning({ db, scenarios }: Pruned, now: number, keepRunsMs?: number): Generator<void> {
  for (const { id } of [...scenarios.all])
    do yield;
    while (db.transaction(() => pruneSome(db, id, now, keepRunsMs)));
  db.transaction(() => pruneNotices(db, now));
}
