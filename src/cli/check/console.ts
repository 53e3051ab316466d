import { counted } from '../../environment/index.ts';
import { isUnconnected } from '../../http/index.ts';
import { acceptingLines, type Colours, colours, LiveProgress, unprovenLines } from '../../playwright/index.ts';
import {
  type Begun,
  type CauseInRun,
  causeDetails,
  causeLine,
  certificatesOf,
  countsOf,
  driftsOf,
  hostFailureOf,
  type RunEvents,
  type ScenarioResult,
  trafficText,
} from '../../run/index.ts';
import { type Contract, verdicts } from '../../verdict/index.ts';
import { printable } from '../output/terminal.ts';
import { type Checked, verdictOf } from './outputs.ts';

/** Prints a check while it runs: rows as they come, and on a terminal a line that shows what is running. */
export class CheckConsole implements RunEvents {
  readonly #layout: Layout;
  readonly #line: LiveProgress;
  readonly #start = performance.now();

  constructor(environments: readonly string[], total: number, stream: NodeJS.WriteStream = process.stdout) {
    const width = Math.max('ENVIRONMENT'.length, ...environments.map((name) => name.length));
    this.#layout = {
      colors: colours(),
      columns: (stream.isTTY && stream.columns) || undefined,
      environmentWidth: environments.length > 1 ? width : 0,
    };
    this.#line = new LiveProgress(stream, total);
    this.#line.print([headingRow(this.#layout)]);
  }

  started(scenario: Begun): void {
    this.#line.started(scenario);
  }

  finished(environment: string, result: ScenarioResult): void {
    this.#line.finished(environment, result);
    // Skips are told together, at the end.
    if (verdicts[result.verdict].ran || result.warnings)
      this.#line.print(scenarioRows(environment, result, this.#layout));
  }

  /** The last lines of an environment: what went wrong, certificates, the verdict. */
  summary({ environment, results, traffic, causes, unproven, endedAt }: Checked): void {
    const exchanges = results.flatMap((result) => result.exchanges);
    const lines = [
      ...causes.flatMap((cause) => causeRows(cause, this.#layout)),
      ...acceptingLines([{ environment, drifts: results.flatMap(driftsOf) }]).map(printable),
      ...skipRows(results, this.#layout),
      ...certificatesOf(exchanges, endedAt).map(
        ({ address, authority, daysLeft, validTo }) =>
          `${address}  certificate${authority === undefined ? '' : ` of its authority ${JSON.stringify(authority)}`}: ${counted(daysLeft, 'day')} left (until ${new Date(validTo).toISOString().slice(0, 10)})`,
      ),
    ];
    lines.push(...unprovenLines({ unprovenOperations: unproven }).map((line) => this.#layout.colors.yellow(line)));
    const row = summaryRow(environment, { results, traffic, unproven }, performance.now() - this.#start);
    this.#line.print(['', ...lines, row]);
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
  /** Width of the environment column; 0: no such column. */
  readonly environmentWidth: number;
}

export function headingRow({ colors, environmentWidth }: Layout): string {
  const name = environmentWidth > 0 ? 'ENVIRONMENT' : '';
  return colors.dim(columns(['VERDICT', 'GRADE', 'TIME', name, 'SCENARIO'], environmentWidth));
}

/** The lines of one scenario: its row, the reason if it did not simply pass, and the call to repeat. */
export function scenarioRows(environment: string, result: ScenarioResult, layout: Layout): string[] {
  const { colors, environmentWidth } = layout;
  const { verdict, grade = '', durationMs, title, warnings = [], curl } = result;
  const time = `${Math.round(durationMs).toLocaleString('en')} ms`;
  const row = columns([verdict, grade, time, environment, title], environmentWidth);
  const lines = [row.replace(verdict, colors[verdicts[verdict].colour](verdict))];
  const host = hostFailureOf(result);
  const reason = host ? `no connection: ${host.reason}, see below` : result.reason;
  if (reason) lines.push(`  ${colors.dim(cut(printable(reason), layout))}`);
  for (const warning of new Set(warnings))
    lines.push(`  ${colors.yellow(cut(`warning: ${printable(warning)}`, layout))}`);
  // Never cut, so that it can be pasted.
  if (curl && !host) lines.push(`  ${printable(curl)}`);
  return lines;
}

/** The scenarios that were left out, together for each reason; the most frequent first. */
export function skipRows(results: readonly ScenarioResult[], { colors }: Layout): string[] {
  const skipped = results.filter(({ verdict }) => !verdicts[verdict].ran);
  const reasons = [...Map.groupBy(skipped, ({ reason = 'no reason given' }) => reason)];
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
  const parts = [...Map.groupBy(results, ({ verdict: own }) => own)].map(([name, { length: count }]) => {
    const ofThem = name === 'skipped' && skips.length > 0 ? ` (${skips.join('; ')})` : '';
    return `${count} ${name}${ofThem}`;
  });
  parts.sort();
  return `${environment}: ${verdict} (${parts.join(', ')}), ${trafficText(traffic)} in ${(ms / 1000).toFixed(1)} s`;
}

/** `text` cut to the rest of a terminal line after its indent. */
export function cut(text: string, { columns }: Pick<Layout, 'columns'>): string {
  const room = (columns ?? Number.POSITIVE_INFINITY) - 2;
  return text.length > room ? `${text.slice(0, Math.max(0, room - 1))}…` : text;
}

function columns([verdict, grade, time, environment, title]: readonly string[], environmentWidth: number): string {
  const name = environmentWidth > 0 ? `${environment?.padEnd(environmentWidth)}  ` : '';
  return `${verdict?.padEnd(11)}  ${grade?.padEnd(10)}  ${time?.padStart(9)}  ${name}${title}`;
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
