import { eventLoopTurn } from '../../../serving/index.ts';
import type { Announced } from '../../history/announced.ts';
import { pastMaintenance } from '../../history/announced.ts';
import type { HistoryDatabase } from '../../history/database.ts';
import { errorBudgetOf } from '../../history/error-budget.ts';
import { downSpans, flips } from '../../history/flips.ts';
import { none } from '../../history/rollups.ts';
import { lastFailures, lastGoodRun, lastRuns } from '../../history/runs.ts';
import { latencySeries, type Range } from '../charts/latency-series.ts';
import { isBad, type ScenarioView } from '../view.ts';
import { summariseScenario } from './figures.ts';
import type { ScenarioPageInput } from './scenario-page.ts';

interface ScenarioAsked {
  readonly view: ScenarioView;
  readonly range: Range;
  readonly slo: number;
  readonly now: number;
  readonly isPublic: boolean;
  readonly announced: readonly Announced[];
}

const RUNS = 50;
const FAILURES = 10;
/** Bands of a chart; more can't be told apart. */
const MARKS = 200;
/** Announcements in a chart's key. */
const ANNOUNCED = 10;

/** Reads what the page of a scenario shows; others have their turn in between. */
export async function scenarioInput(
  db: HistoryDatabase,
  { view, range, slo, now, isPublic, announced }: ScenarioAsked,
): Promise<ScenarioPageInput> {
  const { known } = view;
  const series = await latencySeries(db, known.id, range, now);
  await eventLoopTurn();
  const summary = summariseScenario(db, known, now);
  await eventLoopTurn();
  const all = flips(db, known.id);
  const last = all.at(-1);
  const month = summary.windows.find(({ name }) => name === '30 d')?.counts ?? none;
  const down = downSpans(all).filter(({ to }) => to > series.from);
  const maintenance = pastMaintenance(db, known.environment).filter(({ to }) => to > series.from);
  const lastGood = isBad(view) ? lastGoodRun(db, known.id, last?.since ?? now) : undefined;
  return {
    view,
    summary,
    runs: lastRuns(db, known.id, RUNS),
    failures: lastFailures(db, known.id, FAILURES),
    flips: all.slice(-RUNS).reverse(),
    lastGood,
    budget: errorBudgetOf(db, known, month, slo, now),
    series,
    marks: {
      down: down.slice(-MARKS).map(({ from, to }) => ({ from, to: Math.min(to, now) })),
      maintenance: maintenance.slice(-MARKS),
      flips: all.slice(-MARKS).map(({ since }) => since),
      announced: isPublic
        ? []
        : announced
            .flatMap(({ start, why }) => (why && start > series.from ? [{ at: start, text: why }] : []))
            .slice(-ANNOUNCED),
    },
    now,
    isPublic,
  };
}
