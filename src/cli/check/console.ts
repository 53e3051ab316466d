import { counted } from '../../environment/index.ts';
import { isUnconnected } from '../../http/index.ts';
import {
  acceptingLines,
  type Colours,
  colours,
  LiveProgress,
  unprovenLines,
  warningLines,
} from '../../playwright/index.ts';
import {
  type Begun,
  type CauseInRun,
  causeDetails,
  causeLine,
  certificatesOf,
  countsOf,
  driftsOf,
  hostFailureOf,
  outcomeOfResult,
  type RunEvents,
  type ScenarioResult,
  STOPPED,
  trafficText,
} from '../../run/index.ts';
import { areaIds, areaTitle } from '../../service/index.ts';
import { type Contract, gravestFirst, verdicts } from '../../verdict/index.ts';
import { printable } from '../output/terminal.ts';
import { type Checked, verdictOf } from './outputs.ts';

/** Prints a check: on a terminal a line that shows what is running, and a table of each environment at the end. */
export class CheckConsole implements RunEvents {
  readonly #layout: Layout;
  readonly #line: LiveProgress;
  readonly #start = performance.now();

  constructor(total: number, stream: NodeJS.WriteStream = process.stdout) {
    this.#layout = { colors: colours(), columns: (stream.isTTY && stream.columns) || undefined };
    this.#line = new LiveProgress(stream, total);
  }

  started(scenario: Begun): void {
    this.#line.started(scenario);
  }

  finished(environment: string, result: ScenarioResult): void {
    this.#line.finished(environment, result);
  }

  /** The table of an environment, and its last lines: what went wrong, certificates, the verdict. */
  summary({ environment, results, traffic, causes, unproven, endedAt }: Checked): void {
    const exchanges = results.flatMap((result) => result.exchanges);
    const warnings = warningLines(
      results.map((result) => outcomeOfResult(environment, result)),
      'scenario',
    );
    const lines = [
      ...causes.flatMap((cause) => causeRows(cause, this.#layout)),
      ...acceptingLines([{ environment, drifts: results.flatMap(driftsOf) }]).map(printable),
      ...warnings.map((line) => this.#layout.colors.yellow(printable(`warning: ${line}`))),
      ...skipRows(results, this.#layout),
      ...certificatesOf(exchanges, endedAt).map(
        ({ address, authority, daysLeft, validTo }) =>
          `${address}  certificate${authority === undefined ? '' : ` of its authority ${JSON.stringify(authority)}`}: ${counted(daysLeft, 'day')} left (until ${new Date(validTo).toISOString().slice(0, 10)})`,
      ),
    ];
    lines.push(...unprovenLines({ unprovenOperations: unproven }).map((line) => this.#layout.colors.yellow(line)));
    const row = summaryRow(environment, { results, traffic, unproven }, performance.now() - this.#start);
    this.#line.print([...tableRows(environment, results, this.#layout), '', ...lines, row, '']);
  }

  lines(lines: readonly string[]): void {
    this.#line.print(lines);
  }

  end(): void {
    this.#line.end();
  }
}

export interface Layout {
  readonly colors: Colours;
  /** Width of the terminal; `undefined`: lines are not cut. */
  readonly columns: number | undefined;
}

/** The scenarios that were played, by area in the order of the specification; skips are listed together, below. */
export function tableRows(environment: string, results: readonly ScenarioResult[], layout: Layout): string[] {
  const { colors } = layout;
  // Of a run that was stopped, one line says so.
  const played = results.filter(({ verdict, reason }) => verdicts[verdict].ran && reason !== STOPPED);
  const byArea = Map.groupBy(played, ({ area }) => area);
  return [
    colors.dim(columns(['VERDICT', 'GRADE', 'TIME', `SCENARIO IN ${environment}`])),
    ...([...areaIds, 'all'] as const).flatMap((area) => {
      const rows = byArea.get(area)?.flatMap((result) => scenarioRows(result, layout)) ?? [];
      return rows.length > 0 ? [colors.bold(areaTitle(area)), ...rows] : [];
    }),
  ];
}

/** The lines of one scenario: its row, the reason if it did not simply pass, and the call to repeat. */
export function scenarioRows(result: ScenarioResult, layout: Layout): string[] {
  const { colors } = layout;
  const { verdict, grade = '', durationMs, title, curl } = result;
  const time = `${Math.round(durationMs).toLocaleString('en')} ms`;
  const row = columns([verdict, grade, time, title]);
  const lines = [row.replace(verdict, colors[verdicts[verdict].colour](verdict))];
  const host = hostFailureOf(result);
  const reason = host ? `no connection: ${host.reason}, see below` : result.reason;
  if (reason) lines.push(`  ${colors.dim(cut(printable(reason), layout))}`);
  // Never cut, so that it can be pasted.
  if (curl && !host) lines.push(`  ${printable(curl)}`);
  return lines;
}

/** The scenarios that were left out, together for each reason; the most frequent first. */
export function skipRows(results: readonly ScenarioResult[], { colors }: Layout): string[] {
  const skipped = results.filter(({ verdict }) => !verdicts[verdict].ran);
  const reasons = [
    ...Map.groupBy(skipped, ({ reason = 'no reason given', failures }) => failures?.[0]?.gist ?? reason),
  ];
  return reasons
    .sort(([, a], [, b]) => b.length - a.length)
    .flatMap(([reason, all]) => [
      `${colors.yellow('skipped')} ${all.length} × ${printable(reason)}`,
      `  ${colors.dim(all.map(({ title }) => printable(title)).join('; '))}`,
    ]);
}

/** The lines of a cause, and for a host what its rows leave out. */
export function causeRows(cause: CauseInRun, { colors }: Layout): string[] {
  const { tests, example } = cause;
  const isHost = example.call !== undefined && isUnconnected(example.call);
  return [
    colors[verdicts[cause.verdict].colour](printable(causeLine(cause, 'scenario'))),
    ...causeDetails(cause).map((line) => `  ${printable(line)}`),
    ...(isHost ? [`  affects ${tests.map(printable).join('; ')}`, `  ${printable(example.call?.curl ?? '')}`] : []),
  ];
}

/** `staging: failed (2 failed, 13 passed) in 0.4 s`. */
export function summaryRow(
  environment: string,
  { results, traffic, unproven: operations }: Pick<Checked, 'results' | 'traffic' | 'unproven'>,
  ms: number,
): string {
  const verdict = verdictOf({ results, unproven: operations });
  const { unproven } = countsOf(results);
  const unreached = results.filter((result) => result.unreached).length;
  const skips = [
    ...(unproven > 0 ? [`${unproven} of them unproven`] : []),
    ...(unreached > 0 ? [`no time left for ${unreached}`] : []),
  ];
  const byVerdict = Map.groupBy(results, ({ verdict: own }) => own);
  const parts = gravestFirst.flatMap((name) => {
    const { length: count } = byVerdict.get(name) ?? [];
    if (count === 0) return [];
    const ofThem = name === 'skipped' && skips.length > 0 ? ` (${skips.join('; ')})` : '';
    return `${count} ${name}${ofThem}`;
  });
  return `${environment}: ${verdict} (${parts.join(', ')}), ${trafficText(traffic)} in ${(ms / 1000).toFixed(1)} s`;
}

/** `text` cut to the rest of a terminal line after its indent. */
export function cut(text: string, { columns }: Pick<Layout, 'columns'>): string {
  const room = (columns ?? Number.POSITIVE_INFINITY) - 2;
  return text.length > room ? `${text.slice(0, Math.max(0, room - 1))}…` : text;
}

function columns([verdict, grade, time, title]: readonly string[]): string {
  return `${verdict?.padEnd(11)}  ${grade?.padEnd(10)}  ${time?.padStart(9)}  ${title}`;
}

/** What can't be held to the team's own document, once; nothing where all can. */
export function contractLines(environment: string, contract: Contract | undefined): string[] {
  if (!contract) return [];
  const { documents, unmatched, ignored, circular } = contract;
  const missing = `${environment}: not in ${documents.join(', ')}, and so not held to it: ${unmatched.join(', ')}`;
  const foreign = `${environment}: patterns in another dialect than JavaScript's are ignored; correct them: ${ignored.join(' · ')}`;
  const endless = `${environment}: schemas that lead back to themselves for the same value are ignored; take the reference to the parent out of its alternatives: ${circular.join(' · ')}`;
  return [
    ...(unmatched.length > 0 ? [missing] : []),
    ...(ignored.length > 0 ? [foreign] : []),
    ...(circular.length > 0 ? [endless] : []),
  ];
}
