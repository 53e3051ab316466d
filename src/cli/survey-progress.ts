import { LiveLine } from '../reporting/live-line.ts';
import type { Fact } from '../survey/index.ts';

const BAR = 24;
/** Interval between progress lines where no bar can be drawn. */
const LINE_EVERY_MS = 5_000;

/** The progress of a survey: a bar on a terminal, plain lines elsewhere; on stderr, because stdout has the results. */
export class SurveyProgress {
  readonly #label: string;
  readonly #live: LiveLine;
  #text = '';
  #shownAt = performance.now();

  constructor(environment: string) {
    this.#label = `survey of ${environment}`;
    this.#live = new LiveLine(process.stderr, () => this.#text);
  }

  show(done: number, total: number, { operation, question }: Fact): void {
    const filled = Math.round((done / Math.max(total, 1)) * BAR);
    const bar = '█'.repeat(filled) + '░'.repeat(BAR - filled);
    this.#text = `${this.#label} ${bar} ${done}/${total}  ${operation} ${question}`;
    const now = performance.now();
    if (process.stderr.isTTY || (done < total && now - this.#shownAt < LINE_EVERY_MS)) return;
    this.#shownAt = now;
    process.stderr.write(`${this.#label} ${done}/${total}\n`);
  }

  end(): void {
    this.#live.end();
  }
}
