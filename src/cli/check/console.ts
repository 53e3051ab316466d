import { counted, grouped } from '../../environment/index.ts';
import { isUnconnected } from '../../http/index.ts';
import { type Colours, colours, consoleLines, LiveProgress, linesOf, type RunLine } from '../../playwright/index.ts';
import {
  type Begun,
  certificatesOf,
  countsText,
  hostFailureOf,
  type RunEvents,
  type ScenarioResult,
  STOPPED,
  trafficText,
} from '../../run/index.ts';
import { areaIds, areaTitle } from '../../service/index.ts';
import { type Contract, verdicts } from '../../verdict/index.ts';
import { printable } from '../output/terminal.ts';
import { type Checked, reportOfChecks, verdictOf } from './outputs.ts';

/** Prints a check: while it runs, a line with the current scenarios (on a terminal only); at the end, a table for each environment. */
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

  /** Prints the table of an environment, and below it what went wrong, the certificates and the verdict. */
  summary(checked: Checked): void {
    const { environment, results, endedAt } = checked;
    const exchanges = results.flatMap((result) => result.exchanges);
    const lines = linesOf(reportOfChecks([checked]));
    // Leaves out the lines about scenarios that are `unknown`, because the table has already shown the reasons.
    const shown = lines.filter(({ kind }) => kind !== 'unknown').map((line) => checkLine(line, this.#layout));
    const certificates = certificatesOf(exchanges, endedAt).map(
      ({ address, authority, daysLeft, validTo }) =>
        `${address}  certificate${authority === undefined ? '' : ` of its authority ${JSON.stringify(authority)}`}: ${counted(daysLeft, 'day')} left (until ${new Date(validTo).toISOString().slice(0, 10)})`,
    );
    const warnings = lines.filter(({ kind }) => kind === 'warning').length;
    const row = summaryRow(checked, warnings, performance.now() - this.#start);
    const all = [...consoleLines(shown, this.#layout.colors), ...certificates, row, ''];
    this.#line.print([...tableRows(environment, results, this.#layout), '', ...all]);
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
  /** Width of the terminal, in characters; if `undefined`, lines are not cut. */
  readonly columns: number | undefined;
}

/** Rows of the scenarios that ran, by area in the order of the specification. Skipped scenarios are listed together below the table. */
export function tableRows(environment: string, results: readonly ScenarioResult[], layout: Layout): string[] {
  const { colors } = layout;
  // Leaves out scenarios that could not finish because the run was stopped. The summary row counts them.
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

/** The lines of one scenario: its row, the reason for its verdict if there is one, and a curl command that repeats the failing call. */
export function scenarioRows(result: ScenarioResult, layout: Layout): string[] {
  const { colors } = layout;
  const { verdict, grade = '', durationMs, title, curl } = result;
  const time = `${grouped(Math.round(durationMs))} ms`;
  const row = columns([verdict, grade, time, title]);
  const lines = [row.replace(verdict, colors[verdicts[verdict].colour](verdict))];
  const host = hostFailureOf(result);
  const reason = host ? `no connection: ${host.reason}, see below` : result.reason;
  if (reason) lines.push(`  ${colors.dim(cut(printable(reason), layout))}`);
  // The curl command is never cut, so that it can be pasted.
  if (curl && !host) lines.push(`  ${printable(curl)}`);
  return lines;
}

/**
 * Completes a line for the console. A line with a reason gets the titles of the scenarios that failed for this reason. A line about an
 * unreachable host also gets a curl command, because the table shows neither the host nor the command.
 */
export function checkLine({ text, more = [], titles, cause, ...line }: RunLine, { colors }: Layout): RunLine {
  const call = cause?.example.call;
  const ofHost = call && isUnconnected(call) ? [`affects ${cause.tests.join('; ')}`, call.curl ?? ''] : [];
  const below = [...more, ...ofHost].map(printable);
  const ofTitles = titles ? [colors.dim(printable(titles.join('; ')))] : [];
  return { ...line, ...(cause ? { cause } : {}), text: printable(text), more: [...below, ...ofTitles] };
}

/** The last row of an environment's table, e.g. `staging: failed (2 failed, 13 passed), 27 requests in 0.4 s`. */
export function summaryRow(
  { environment, results, traffic, unproven }: Pick<Checked, 'environment' | 'results' | 'traffic' | 'unproven'>,
  warnings: number,
  ms: number,
): string {
  const verdict = verdictOf({ results, unproven });
  return `${environment}: ${verdict} (${countsText(results, warnings)}), ${trafficText(traffic)} in ${(ms / 1000).toFixed(1)} s`;
}

/** Cuts `text` to the width of the terminal, less its indent. */
export function cut(text: string, { columns }: Pick<Layout, 'columns'>): string {
  const room = (columns ?? Number.POSITIVE_INFINITY) - 2;
  return text.length > room ? `${text.slice(0, Math.max(0, room - 1))}…` : text;
}

function columns([verdict, grade, time, title]: readonly string[]): string {
  return `${verdict?.padEnd(11)}  ${grade?.padEnd(10)}  ${time?.padStart(9)}  ${title}`;
}

/**
 * Lines about everything that can't be checked against the team's OpenAPI documents: missing operations, unusable patterns and circular
 * schemas.
 */
export function contractLines(environment: string, contract: Contract | undefined): string[] {
  if (!contract) return [];
  const { documents, unmatched, ignored, circular } = contract;
  const missing = `${environment}: operations that ${documents.join(', ')} does not have, so nothing checks them against it: ${unmatched.join(', ')}`;
  const foreign = `${environment}: patterns that JavaScript cannot read are ignored; correct them: ${ignored.join(' · ')}`;
  const endless = `${environment}: schemas that refer to themselves without an end are ignored; remove the reference from their own alternatives: ${circular.join(' · ')}`;
  return [
    ...(unmatched.length > 0 ? [missing] : []),
    ...(ignored.length > 0 ? [foreign] : []),
    ...(circular.length > 0 ? [endless] : []),
  ];
}
