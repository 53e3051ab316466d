import type { HistoryDatabase } from '../history/database.ts';
import { downSpans, flips, pastMaintenance } from '../history/flips.ts';
import { DAY, HOUR } from '../history/rollups.ts';
import { gaps } from '../history/runs.ts';
import type { KnownScenario } from '../history/scenarios.ts';
import type { Span } from '../status/time-spans.ts';
import { type Uptime, uptimeWithin } from '../status/uptime.ts';

/** The uptime of a scenario in any window of the last year; reads the history once. */
export function uptimeOf(db: HistoryDatabase, known: KnownScenario, now: number): (window: Span) => Uptime {
  const year = { from: now - 365 * DAY, to: now };
  return uptimeWithin({
    window: year,
    firstRunAt: known.firstRun,
    down: downSpans(flips(db, known.id)),
    maintenance: pastMaintenance(db, known.environment),
    gaps: [...gaps(db, known.id, year), ...currentGap(known, now)],
  });
}

/** The current span without judged runs, if any. */
function currentGap({ standing, lastJudged, firstRun }: KnownScenario, now: number): Span[] {
  if (lastJudged === undefined) return [{ from: firstRun, to: now }];
  const from = standing.blindSince ?? lastJudged;
  const quiet = 3 * HOUR;
  return standing.blindSince !== undefined || now - from > quiet ? [{ from, to: now }] : [];
}
