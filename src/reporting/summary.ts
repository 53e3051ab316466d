import { type AreaId, areaIds } from '../spec/index.ts';

/** What came of one test, as far as a summary goes. */
export interface CountedOutcome {
  readonly area: AreaId | 'all';
  readonly outcome: 'passed' | 'failed' | 'skipped';
  /** Why it was skipped. */
  readonly reason?: string;
}

/** The same with what it takes to find the test again; `outcomes.json` holds these. */
export interface TestOutcome extends CountedOutcome {
  readonly environment: string;
  readonly title: string;
  /** The service was reached and did something wrong; a failure without this is of the way to it, or of credentials. */
  readonly isJudged?: boolean;
  /** The suite could not judge: it counts as failed here, and as an error in JUnit. */
  readonly isUnknown?: boolean;
  readonly seconds: number;
  /** What a failure says, all of it. */
  readonly message?: string;
}

export interface AreaCounts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** The counts of a run, as `summary.json` holds them. */
export interface Summary extends AreaCounts {
  readonly areas: Readonly<Partial<Record<AreaId | 'all', AreaCounts>>>;
  /** Why tests were skipped, most frequent first. */
  readonly skippedBecause: readonly { readonly reason: string; readonly count: number }[];
}

export function summarise(outcomes: readonly CountedOutcome[]): Summary {
  const byArea = Map.groupBy(outcomes, ({ area }) => area);
  const present = ([...areaIds, 'all'] as const).filter((area) => byArea.has(area));
  const reasons = Map.groupBy(
    outcomes.filter(({ outcome }) => outcome === 'skipped'),
    ({ reason }) => reason ?? 'no reason given',
  );
  return {
    ...count(outcomes),
    areas: Object.fromEntries(present.map((area) => [area, count(byArea.get(area) ?? [])])),
    skippedBecause: [...reasons]
      .map(([reason, all]) => ({ reason, count: all.length }))
      .sort((a, b) => b.count - a.count || (a.reason < b.reason ? -1 : 1)),
  };
}

function count(outcomes: readonly CountedOutcome[]): AreaCounts {
  const of = (wanted: CountedOutcome['outcome']) => outcomes.filter(({ outcome }) => outcome === wanted).length;
  return { passed: of('passed'), failed: of('failed'), skipped: of('skipped') };
}
