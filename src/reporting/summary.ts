import { type AreaId, areaIds } from '../spec/index.ts';

/** What came of one test, as far as a summary goes. */
export interface CountedOutcome {
  readonly area: AreaId | 'all';
  readonly outcome: 'passed' | 'failed' | 'skipped';
  /** Why it was skipped. */
  readonly reason?: string;
  /** It was skipped because nothing could be proved by it. */
  readonly unproven?: true;
}

/** The same with what it takes to find the test again; `outcomes.json` holds these. */
export interface TestOutcome extends CountedOutcome {
  readonly environment: string;
  readonly title: string;
  /** The service was reached and did something wrong; a failure without this is of the way to it, or of credentials. */
  readonly isJudged?: boolean;
}

export interface AreaCounts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** How many of the skipped are so because nothing could be proved by them. */
  readonly unproven: number;
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
    ({ reason }) => withoutBody(reason ?? 'no reason was given'),
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
  return {
    passed: of('passed'),
    failed: of('failed'),
    skipped: of('skipped'),
    unproven: outcomes.filter((each) => each.unproven).length,
  };
}

/** A response's body, which a reason may quote after two spaces, is another one each time. */
function withoutBody(reason: string): string {
  return reason.split('  ')[0] ?? reason;
}
