import { LiveLine } from '../../playwright/index.ts';

const BAR = 24;
/** Interval of progress lines if no bar can be drawn. */
const LINE_EVERY_MS = 5_000;

/**
 * Shows the progress of long work: a bar on a terminal, otherwise lines if the work has a name. The output is stderr, because stdout has the results.
 */
export class Progress {
  readonly #name: string;
  readonly #live = new LiveLine(process.stderr, () => this.#text);
  #text = '';
  #shownAt = performance.now();

  constructor(name = '') {
    this.#name = name;
  }

  show(done: number, total: number, what: string): void {
    const filled = Math.round((done / Math.max(total, 1)) * BAR);
    const bar = '█'.repeat(filled) + '░'.repeat(BAR - filled);
    this.#text = `${this.#name} ${bar} ${done}/${total}  ${what}`.trimStart();
    const now = performance.now();
    if (!this.#name || process.stderr.isTTY || (done < total && now - this.#shownAt < LINE_EVERY_MS)) return;
    this.#shownAt = now;
    process.stderr.write(`${this.#name} ${done}/${total}\n`);
  }

  /** Prints a line of results above the bar. */
  print(line: string): void {
    this.#live.print([line]);
  }

  end(): void {
    this.#live.end();
  }
}
