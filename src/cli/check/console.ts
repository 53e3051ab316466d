import { stripVTControlCharacters } from 'node:util';
import { verdicts } from '../../client/index.ts';
import { colours } from '../../reporting/console/colours.ts';
import { LiveLine } from '../../reporting/console/live-line.ts';
import { progressText } from '../../reporting/console/progress-text.ts';
import { certificatesOf, overallVerdict, type ScenarioResult } from '../../runner/index.ts';
import type { AreaId } from '../../spec/index.ts';
import type { Checked } from './json-document.ts';
import { causeRows, certificateRow, headingRow, type Layout, scenarioRows, skipRows, summaryRow } from './rows.ts';

/** Prints a check while it runs: rows as they come, and on a terminal a line that shows what is running. */
export class CheckConsole {
  readonly #layout: Layout;
  readonly #line: LiveLine;
  readonly #underWay = new Map<string, AreaId | 'all'>();
  readonly #ended: ScenarioResult[] = [];
  readonly #start = performance.now();
  readonly #total: number;

  constructor(environments: readonly string[], total: number, stream: NodeJS.WriteStream = process.stdout) {
    this.#total = total;
    const width = Math.max('ENVIRONMENT'.length, ...environments.map((name) => name.length));
    this.#layout = {
      colors: colours(),
      columns: (stream.isTTY && stream.columns) || undefined,
      environmentWidth: environments.length > 1 ? width : 0,
    };
    this.#line = new LiveLine(stream, () => this.#progress());
    this.#line.print([headingRow(this.#layout)]);
  }

  started(environment: string, title: string, area: AreaId | 'all'): void {
    this.#underWay.set(keyOf(environment, title), area);
  }

  ended(environment: string, result: ScenarioResult): void {
    this.#ended.push(result);
    this.#underWay.delete(keyOf(environment, result.title));
    // Skips are told together, at the end.
    if (verdicts[result.verdict].ran) this.#line.print(scenarioRows(environment, result, this.#layout));
  }

  /** The last lines of an environment: what went wrong, certificates, the verdict. */
  summary({ environment, results, causes, endedAt }: Checked): void {
    const exchanges = results.flatMap((result) => result.exchanges);
    const certificates = certificatesOf(exchanges, endedAt);
    const verdict = overallVerdict(results.map((result) => result.verdict));
    const lines = [
      ...causes.flatMap((cause) => causeRows(cause, this.#layout)),
      ...skipRows(results, this.#layout),
      ...certificates.map(certificateRow),
    ];
    this.#line.print(['', ...lines, summaryRow(environment, verdict, results, performance.now() - this.#start)]);
  }

  lines(lines: readonly string[]): void {
    this.#line.print(lines);
  }

  end(): void {
    this.#line.end();
  }

  #progress(): string {
    const text = progressText({
      total: this.#total,
      elapsedMs: performance.now() - this.#start,
      ended: this.#ended,
      underWay: [...this.#underWay].map(([key, area]) => ({ title: titleOf(key), area })),
    });
    return stripVTControlCharacters(text);
  }
}

/** The same scenario may run in several environments at once. */
function keyOf(environment: string, title: string): string {
  return `${environment}\n${title}`;
}

function titleOf(key: string): string {
  return key.slice(key.indexOf('\n') + 1);
}
