import { fileRoles, readTextIfAny } from '../environment/files/index.ts';
import { counted } from '../environment/index.ts';
import { parsedJson } from '../http/index.ts';
import {
  acceptingCommand,
  acceptingLine,
  type CauseInRun,
  type Counts,
  causeDetails,
  causeLine,
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
import { type Colours, colours } from './terminal.ts';

/** The content of a run's reports: its tests, their counts, and the causes of failures. */
export interface RunReport {
  readonly outcomes: readonly TestOutcome[];
  readonly summary: Summary;
  readonly causes: readonly CauseInRun[];
  /** The word for the run's tests in the reports. */
  readonly noun: 'test' | 'scenario';
}

export function runReport(outcomes: readonly TestOutcome[], noun: RunReport['noun'] = 'test'): RunReport {
  return { outcomes, summary: summarise(outcomes), causes: causesOf(outcomes), noun };
}

/**
 * The content of `summary.json`: the counts of a run, in all and by area, and the reasons why tests were skipped or could not be judged.
 */
export interface Summary extends Counts {
  readonly areas: Readonly<Partial<Record<AreaId | 'all', Counts>>>;
  /** The reasons why tests could not be judged, the most frequent first. */
  readonly unknownBecause: readonly Reason[];
  readonly skippedBecause: readonly Reason[];
  /** The operations about which the run proved nothing. */
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
    unknownBecause: reasonsOf('unknown', outcomes).map(countOf),
    skippedBecause: reasonsOf('skipped', outcomes).map(countOf),
    unprovenOperations: unprovenOperations(outcomes),
    flakes: outcomes.flatMap(({ title, flaky }) => (flaky ? [{ title, ...flaky }] : [])),
  };
}

interface ReasonOf {
  readonly reason: string;
  readonly titles: readonly string[];
}

const countOf = ({ reason, titles }: ReasonOf): Reason => ({ reason, count: titles.length });

/** The reasons of all tests with the outcome `wanted`, each with the titles of its tests, the most frequent first. */
function reasonsOf(wanted: Outcome, outcomes: readonly TestOutcome[]): ReasonOf[] {
  const reasons = Map.groupBy(
    outcomes.filter(({ verdict }) => outcomeOfVerdict(verdict) === wanted),
    // `gist` is the reason without the parts that differ each time.
    ({ reason = 'no reason given', failures }) => failures?.[0]?.gist ?? reason,
  );
  return [...reasons]
    .map(([reason, all]) => ({ reason, titles: all.map(({ title }) => title) }))
    .sort((a, b) => b.titles.length - a.titles.length || (a.reason < b.reason ? -1 : 1));
}

/**
 * A sentence that names the environments whose tests were all skipped. A run with such an environment counts as failed, even if it judged
 * other environments. `undefined` if at least one test ran in each environment.
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

export function flakeText({ attempts, reason }: NonNullable<TestOutcome['flaky']>): string {
  return `passed at attempt ${attempts}; before: ${reason}`;
}

/** A line about a run, for a console or a page. */
export interface RunLine {
  readonly kind: 'cause' | 'warning' | 'advice' | 'unknown' | 'skipped' | 'flaky' | 'unproven';
  readonly text: string;
  /** Details, printed as further lines below `text`. */
  readonly more?: readonly string[];
  readonly cause?: CauseInRun;
  /** The titles of the tests that have this reason. */
  readonly titles?: readonly string[];
}

/**
 * All lines about a run except its counts, in the order of the output. If the run has several environments, each cause and each warning
 * names its environment.
 */
export function linesOf({ outcomes, summary, causes, noun }: RunReport): RunLine[] {
  const isOne = new Set(outcomes.map(({ environment }) => environment)).size === 1;
  const ofOne = (environment: string, text: string) => (isOne ? text : `${environment}: ${text}`);
  const warnings = outcomes.flatMap(({ environment, warnings: all = [], failures = [] }) => {
    // The `warnings` of a scenario contain its failures after the first, too. They are left out here, because the causes show them.
    const own = new Set(all).difference(new Set(failures.map(({ reason }) => reason)));
    return [...own].map((text) => ofOne(environment, text));
  });
  const why = (kind: 'unknown' | 'skipped') =>
    reasonsOf(kind, outcomes).map(({ reason, titles }) => ({ kind, text: `${titles.length} × ${reason}`, titles }));
  const unproven = [...unjudgedLines(summary.unprovenOperations), unprovenLine(summary.unprovenOperations) ?? []];
  return [
    ...causes.map((cause): RunLine => {
      const text = ofOne(cause.environment, causeLine(cause, noun));
      return { kind: 'cause', text, more: causeDetails(cause), cause };
    }),
    ...[...Map.groupBy(warnings, (text) => text)].map(([text, { length }]): RunLine => {
      return { kind: 'warning', text: `${text} (${counted(length, noun)})` };
    }),
    ...acceptingLines(outcomes).map((text): RunLine => ({ kind: 'advice', text })),
    ...why('unknown'),
    ...why('skipped'),
    ...summary.flakes.map((flake): RunLine => ({ kind: 'flaky', text: `${flake.title}: ${flakeText(flake)}` })),
    ...unproven.flat().map((text): RunLine => ({ kind: 'unproven', text })),
  ];
}

/** The lines of a run, coloured and indented for a console. */
export function consoleLines(lines: readonly RunLine[], colors: Colours = colours()): string[] {
  return lines.flatMap(({ kind, text, more = [], cause }) => [
    shownLine(kind, text, cause, colors),
    ...more.map((line) => `  ${line}`),
  ]);
}

function shownLine(kind: RunLine['kind'], text: string, cause: CauseInRun | undefined, colors: Colours): string {
  if (cause) return colors[verdicts[cause.verdict].colour](text);
  if (kind === 'advice') return text;
  if (kind === 'warning') return colors.yellow(`warning: ${text}`);
  if (kind === 'unproven') return colors.yellow(text);
  return `${colors[kind === 'unknown' ? 'cyan' : 'yellow'](kind)} ${text}`;
}

/** A line for each environment with drift: the command that accepts all changes. */
function acceptingLines(outcomes: readonly Pick<TestOutcome, 'environment' | 'drifts'>[]): string[] {
  return [...Map.groupBy(outcomes, ({ environment }) => environment)].flatMap(([environment, all]) => {
    const command = acceptingCommand(
      environment,
      all.flatMap(({ drifts = [] }) => drifts),
    );
    return command ? acceptingLine(command) : [];
  });
}

/** Whether a line belongs above the counts of a run, because it says what is wrong or what to do. */
export function isAboveCounts({ kind }: RunLine): boolean {
  return kind === 'cause' || kind === 'warning' || kind === 'advice';
}

/** Whether the run can't be judged because of an operation that is unproven, although no test reports a problem. */
export function isUnjudged({ unprovenOperations: all }: Pick<Summary, 'unprovenOperations'>): boolean {
  return unjudgedLines(all).length > 0;
}

/** The columns of the table by area. */
export const columns = ['failed', 'unknown', 'passed', 'skipped', 'unproven'] as const;

/** The rows of the table by area. */
export function rowsOf({ areas }: Summary): [title: string, counts: Counts][] {
  return Object.entries(areas).map(([area, counts]) => [areaTitle(area as AreaId | 'all'), counts]);
}

/** The summary of a run for a console: a table by area, the lines below it, and the requests. */
export function summaryText(summary: Summary, below: readonly RunLine[], traffic: Traffic): string {
  const { green, red, cyan, yellow, dim, bold } = colours();
  const paint = { passed: green, failed: red, unknown: cyan, skipped: yellow, unproven: yellow };
  const cells = (counts: Counts) =>
    columns.map((column) => (counts[column] > 0 ? paint[column] : dim)(String(counts[column]).padStart(9)));
  const line = (title: string, counts: Counts) => `  ${title.padEnd(16)}${cells(counts).join('')}`;
  return [
    '',
    dim(`  ${''.padEnd(16)}${columns.map((column) => column.padStart(9)).join('')}`),
    ...rowsOf(summary).map(([title, counts]) => line(title, counts)),
    bold(line('Total', summary)),
    '',
    ...consoleLines(below).map((line) => `  ${line}`),
    dim(`  ${trafficText(traffic)}`),
    '',
  ].join('\n');
}

/** Reads the outcomes that the run's reporter wrote. If a full disk cut the file short, it counts as empty. */
export function readOutcomes(file: string): TestOutcome[] {
  const found = parsedJson(readTextIfAny(file, fileRoles.output) ?? '[]');
  return Array.isArray(found) ? found : [];
}
