/** Shows how far a long work has come: one line that is drawn over on a terminal, a plain line now and then elsewhere. */
export class ProgressLine {
  readonly #stream: NodeJS.WriteStream;
  readonly #label: string;
  #shownAt = 0;

  constructor(label: string, stream: NodeJS.WriteStream = process.stderr) {
    this.#label = label;
    this.#stream = stream;
  }

  show(done: number, total: number, doing: string): void {
    if (this.#stream.isTTY) {
      const width = 24;
      const filled = total === 0 ? width : Math.round((done / total) * width);
      const bar = '█'.repeat(filled) + '░'.repeat(width - filled);
      const line = `${this.#label} ${bar} ${done}/${total}  ${doing}`.slice(0, (this.#stream.columns ?? 80) - 1);
      this.#stream.write(`\r\u001b[2K${line}`);
      return;
    }
    const now = performance.now();
    if (done < total && now - this.#shownAt < 5_000) return;
    this.#shownAt = now;
    this.#stream.write(`${this.#label} ${done}/${total}\n`);
  }

  /** Takes the line away again. */
  end(): void {
    if (this.#stream.isTTY) this.#stream.write('\r\u001b[2K');
  }
}
