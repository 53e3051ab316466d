import type { Fact } from '../survey/index.ts';
import { LiveLine } from './live-line.ts';

const BAR = 24;
/** Where nothing can be drawn over, a line now and then shows that it goes on. */
const LINE_EVERY_MS = 5_000;

/** How far a survey has come: a bar on a terminal, plain lines elsewhere; on stderr, for stdout holds what was found. */
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
