import { fileRoles, readTextIfAny } from '../config/files/index.ts';
import { type Cause, causesOf, type Failure, type Worked } from '../engine/run/index.ts';
import { type AreaId, areaIds } from '../spec/index.ts';

/** The outcome of one test, as in `outcomes.json`. */
export interface TestOutcome {
  readonly environment: string;
  readonly title: string;
  /** Of the spec, from the project's folder; absent in a check, and in the results of an older version. */
  readonly file?: string;
  readonly area: AreaId | 'all';
  /** `unknown`: the suite could not judge. */
  readonly outcome: 'passed' | 'failed' | 'unknown' | 'skipped';
  /** The reason for a skip, or why the suite could not judge. */
  readonly reason?: string;
  /** The reason without what is different each time; absent where that is all of it. */
  readonly gist?: string;
  /** Which of the operations that it called worked. */
  readonly worked?: Worked;
  /** It was skipped because nothing could be proved by it. */
  readonly unproven?: true;
  /** It was skipped because it failed in quarantine. */
  readonly quarantined?: true;
  /** It passed, but not at the first attempt; the reason is that of the first failure. */
  readonly flaky?: { readonly attempts: number; readonly reason: string };
  /** The service responded wrongly; a failure without this is a connection or credentials problem. */
  readonly isJudged?: boolean;
  readonly seconds: number;
  readonly failures?: readonly Failure[];
  /** The complete texts of a failure, or of why the suite could not judge, the decisive one first. */
  readonly messages?: readonly string[];
  /** What JUnit says of it in one line, if that isn't the first of its text. */
  readonly headline?: string;
}

/** The causes of all that failed or could not be judged, the gravest first. */
export function causesOfOutcomes(outcomes: readonly TestOutcome[]): Cause[] {
  const byEnvironment = Map.groupBy(outcomes, ({ environment }) => environment);
  const worked = [...byEnvironment].map(([name, all]) => [name, all.flatMap((each) => each.worked ?? [])] as const);
  return causesOf(
    outcomes.flatMap(({ environment, title, outcome, failures = [] }) =>
      outcome === 'failed' || outcome === 'unknown' ? failures.map((each) => ({ ...each, environment, title })) : [],
    ),
    new Map(worked),
  );
}

/** By outcome; some of the skipped are unproven or in quarantine, some of the passed flaky. */
export type AreaCounts = Readonly<Record<TestOutcome['outcome'] | 'unproven' | 'flaky' | 'quarantined', number>>;

/** The counts of a run, as in `summary.json`. */
export interface Summary extends AreaCounts {
  readonly areas: Readonly<Partial<Record<AreaId | 'all', AreaCounts>>>;
  /** Why the suite could not judge, most frequent reason first. */
  readonly unknownBecause: readonly Reason[];
  readonly skippedBecause: readonly Reason[];
  /** What passed at a later attempt only. */
  readonly flakes: readonly { readonly title: string; readonly attempts: number; readonly reason: string }[];
}

interface Reason {
  readonly reason: string;
  readonly count: number;
}

export function summarise(outcomes: readonly TestOutcome[]): Summary {
  const byArea = Map.groupBy(outcomes, ({ area }) => area);
  const present = ([...areaIds, 'all'] as const).filter((area) => byArea.has(area));
  return {
    ...count(outcomes),
    areas: Object.fromEntries(present.map((area) => [area, count(byArea.get(area) ?? [])])),
    unknownBecause: reasonsOf('unknown', outcomes),
    skippedBecause: reasonsOf('skipped', outcomes),
    flakes: outcomes.flatMap(({ title, flaky }) => (flaky ? [{ title, ...flaky }] : [])),
  };
}

/** Why a run proves nothing of an environment, whatever it found in the others; `undefined` where it proves something in each. */
export function whyUnproven(outcomes: readonly TestOutcome[]): string | undefined {
  const byEnvironment = Map.groupBy(outcomes, ({ environment }) => environment);
  const names = [...byEnvironment.keys()].filter((name) =>
    byEnvironment.get(name)?.every(({ outcome }) => outcome === 'skipped'),
  );
  if (names.length === 0) return undefined;
  const [of, there] = names.length === byEnvironment.size ? ['', ''] : [` of ${names.join(', ')}`, ' there'];
  return `Every test${of} was skipped, so this run proves nothing${there} and counts as failed.`;
}

/** `passed at attempt 2; before: …`. */
export function flakeText({ attempts, reason }: NonNullable<TestOutcome['flaky']>): string {
  return `passed at attempt ${attempts}; before: ${reason}`;
}

function reasonsOf(wanted: TestOutcome['outcome'], outcomes: readonly TestOutcome[]): Reason[] {
  const reasons = Map.groupBy(
    outcomes.filter(({ outcome }) => outcome === wanted),
    ({ reason = 'no reason given', gist = reason }) => gist,
  );
  return [...reasons]
    .map(([reason, all]) => ({ reason, count: all.length }))
    .sort((a, b) => b.count - a.count || (a.reason < b.reason ? -1 : 1));
}

function count(outcomes: readonly TestOutcome[]): AreaCounts {
  const of = (wanted: TestOutcome['outcome']) => outcomes.filter(({ outcome }) => outcome === wanted).length;
  return {
    passed: of('passed'),
    failed: of('failed'),
    unknown: of('unknown'),
    skipped: of('skipped'),
    unproven: outcomes.filter((each) => each.unproven).length,
    flaky: outcomes.filter((each) => each.flaky).length,
    quarantined: outcomes.filter((each) => each.quarantined).length,
  };
}

/** What the run's reporter left of each test. Half a file, on a full disk, says nothing. */
export function readOutcomes(file: string): TestOutcome[] {
  try {
    const found: unknown = JSON.parse(readTextIfAny(file, fileRoles.output) ?? '[]');
    return Array.isArray(found) ? found : [];
  } catch (error) {
    if (error instanceof SyntaxError) return [];
    throw error;
  }
}
