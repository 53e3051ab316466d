import { fileRoles, readTextIfAny } from '../environment/files/index.ts';
import { counted } from '../environment/index.ts';
import { parsedJson } from '../http/index.ts';
import {
  acceptingCommand,
  acceptingLine,
  type CauseInRun,
  type Counts,
  causesOf,
  countsOf,
  type Outcome,
  outcomeOfVerdict,
  type TestOutcome,
  type Traffic,
  trafficText,
  type UnprovenOperation,
  unjudgedLines,
  unprovenLine,
  unprovenOperations,
} from '../run/ending/index.ts';
import { type AreaId, areaIds, areaTitle } from '../service/index.ts';
import { verdicts } from '../verdict/index.ts';
import { colours } from './terminal.ts';

/** All that reports say of a run: its tests, their counts, and what they failed for. */
export interface Told {
  readonly outcomes: readonly TestOutcome[];
  readonly summary: Summary;
  readonly causes: readonly CauseInRun[];
}

export function told(outcomes: readonly TestOutcome[]): Told {
  return { outcomes, summary: summarise(outcomes), causes: causesOf(outcomes) };
}

/** The counts of a run, as in `summary.json`. */
export interface Summary extends Counts {
  readonly areas: Readonly<Partial<Record<AreaId | 'all', Counts>>>;
  /** Why the suite could not judge, most frequent reason first. */
  readonly unknownBecause: readonly Reason[];
  readonly skippedBecause: readonly Reason[];
  /** The operations of which the run proved nothing. */
  readonly unprovenOperations: readonly UnprovenOperation[];
  /** Tests that passed, but not at the first attempt. */
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
    ...countsOf(outcomes),
    areas: Object.fromEntries(present.map((area) => [area, countsOf(byArea.get(area) ?? [])])),
    unknownBecause: reasonsOf('unknown', outcomes),
    skippedBecause: reasonsOf('skipped', outcomes),
    unprovenOperations: unprovenOperations(outcomes),
    flakes: outcomes.flatMap(({ title, flaky }) => (flaky ? [{ title, ...flaky }] : [])),
  };
}

function reasonsOf(wanted: Outcome, outcomes: readonly TestOutcome[]): Reason[] {
  const reasons = Map.groupBy(
    outcomes.filter(({ verdict }) => outcomeOfVerdict(verdict) === wanted),
    // Without the parts that differ each time.
    ({ reason = 'no reason given', failures }) => failures?.[0]?.gist ?? reason,
  );
  return [...reasons]
    .map(([reason, all]) => ({ reason, count: all.length }))
    .sort((a, b) => b.count - a.count || (a.reason < b.reason ? -1 : 1));
}

/**
 * Says which environment the run proves nothing about: such a run counts as failed, even if it judged the other environments. `undefined` if
 * the run proves something about each environment.
 */
export function whyUnproven(outcomes: readonly TestOutcome[]): string | undefined {
  const byEnvironment = Map.groupBy(outcomes, ({ environment }) => environment);
  const names = [...byEnvironment.keys()].filter((name) =>
    byEnvironment.get(name)?.every(({ verdict }) => !verdicts[verdict].ran),
  );
  if (names.length === 0) return undefined;
  const [of, there] = names.length === byEnvironment.size ? ['', ''] : [` of ${names.join(', ')}`, ' there'];
  return `Every test${of} was skipped, so this run proves nothing${there} and counts as failed.`;
}

/** `passed at attempt 2; before: …`. */
export function flakeText({ attempts, reason }: NonNullable<TestOutcome['flaky']>): string {
  return `passed at attempt ${attempts}; before: ${reason}`;
}

/** Why tests did not count, or count though they failed at first: what they are, and how many for which reason. */
export function reasonsIn({ unknownBecause, skippedBecause, flakes }: Summary): [kind: string, text: string][] {
  const times = ({ reason, count }: Reason) => `${count} × ${reason}`;
  return [
    ...unknownBecause.map((each): [string, string] => ['unknown', times(each)]),
    ...skippedBecause.map((each): [string, string] => ['skipped', times(each)]),
    ...flakes.map((flake): [string, string] => ['flaky', `${flake.title}: ${flakeText(flake)}`]),
  ];
}

/** The warnings of a run, each once, with its environment where there are several, and how many tests have it. */
export function warningLines(outcomes: readonly TestOutcome[], noun = 'test'): string[] {
  const isOne = new Set(outcomes.map(({ environment }) => environment)).size === 1;
  const all = outcomes.flatMap(({ environment, warnings = [], failures = [] }) => {
    // A further failure of a scenario is among the causes.
    const own = new Set(warnings).difference(new Set(failures.map(({ reason }) => reason)));
    return [...own].map((text) => (isOne ? text : `${environment}: ${text}`));
  });
  return [...Map.groupBy(all, (text) => text)].map(([text, { length }]) => `${text} (${counted(length, noun)})`);
}

/** The command for each environment that accepts all that no longer holds there. */
export function acceptingLines(outcomes: readonly Pick<TestOutcome, 'environment' | 'drifts'>[]): string[] {
  return [...Map.groupBy(outcomes, ({ environment }) => environment)].flatMap(([environment, all]) => {
    const command = acceptingCommand(
      environment,
      all.flatMap(({ drifts = [] }) => drifts),
    );
    return command ? acceptingLine(command) : [];
  });
}

/** The operations of which the run proved nothing: those for which it could not be judged, a line each, and all in one. */
export function unprovenLines({ unprovenOperations: all }: Pick<Summary, 'unprovenOperations'>): string[] {
  return [...unjudgedLines(all), unprovenLine(all) ?? []].flat();
}

/** Whether the run could not be judged for one of them, though no test says so. */
export function isUnjudged({ unprovenOperations: all }: Pick<Summary, 'unprovenOperations'>): boolean {
  return unjudgedLines(all).length > 0;
}

/** The columns of the table by area. */
export const columns = ['failed', 'unknown', 'passed', 'skipped', 'unproven'] as const;

/** The rows of that table. */
export function rowsOf({ areas }: Summary): [title: string, counts: Counts][] {
  return Object.entries(areas).map(([area, counts]) => [areaTitle(area as AreaId | 'all'), counts]);
}

/** The summary of a run for a console: a table by area, why tests did not count, and the requests. */
export function summaryText(summary: Summary, traffic: Traffic): string {
  const { green, red, cyan, yellow, dim, bold } = colours();
  const paint = { passed: green, failed: red, unknown: cyan, skipped: yellow, unproven: yellow };
  const cells = (counts: Counts) =>
    columns.map((column) => (counts[column] > 0 ? paint[column] : dim)(String(counts[column]).padStart(9)));
  const line = (title: string, counts: Counts) => `  ${title.padEnd(16)}${cells(counts).join('')}`;
  const reasons = reasonsIn(summary).map(([kind, text]) => `  ${(kind === 'unknown' ? cyan : yellow)(kind)} ${text}`);
  return [
    '',
    dim(`  ${''.padEnd(16)}${columns.map((column) => column.padStart(9)).join('')}`),
    ...rowsOf(summary).map(([title, counts]) => line(title, counts)),
    bold(line('Total', summary)),
    '',
    ...(reasons.length > 0 ? [...reasons, ''] : []),
    ...unprovenLines(summary).map((line) => `  ${yellow(line)}`),
    dim(`  ${trafficText(traffic)}`),
    '',
  ].join('\n');
}

/** The outcomes that the run's reporter wrote. A file that a full disk cut short counts as empty. */
export function readOutcomes(file: string): TestOutcome[] {
  const found = parsedJson(readTextIfAny(file, fileRoles.output) ?? '[]');
  return Array.isArray(found) ? found : [];
}
