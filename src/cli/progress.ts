/** Shows the progress of long work: a bar on a terminal, nothing elsewhere. */
export class Progress {
  readonly #total: number;
  readonly #out: NodeJS.WriteStream;
  #done = 0;

  constructor(total: number, out: NodeJS.WriteStream = process.stderr) {
    this.#total = total;
    this.#out = out;
  }

  step(what: string): void {
    this.#done++;
    if (!this.#out.isTTY) return;
    const width = 24;
    const filled = Math.round((this.#done / this.#total) * width);
    const bar = '█'.repeat(filled) + '░'.repeat(width - filled);
    const line = `${bar} ${this.#done}/${this.#total} ${what}`;
    this.#out.write(`\r\x1b[2K${line.slice(0, (this.#out.columns ?? 80) - 1)}`);
  }

  end(): void {
    if (this.#out.isTTY) this.#out.write('\r\x1b[2K');
  }
}
