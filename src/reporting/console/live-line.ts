/** Whether a line on it can be drawn again. */
export function isLive(stream: NodeJS.WriteStream): boolean {
  return stream.isTTY && process.env.TERM !== 'dumb' && !process.env.CI;
}

/** One line at the bottom of a terminal that changes in place; never drawn on anything else. */
export class LiveLine {
  readonly #stream: NodeJS.WriteStream;
  readonly #text: () => string;
  readonly #timer: NodeJS.Timeout | undefined;

  constructor(stream: NodeJS.WriteStream, text: () => string) {
    this.#stream = stream;
    this.#text = text;
    if (isLive(stream)) this.#timer = setInterval(() => this.#draw(), 100).unref();
  }

  /** Writes permanent lines above the live one. */
  print(lines: readonly string[]): void {
    this.#erase();
    this.#stream.write(lines.map((line) => `${line}\n`).join(''));
    this.#draw();
  }

  end(): void {
    clearInterval(this.#timer);
    this.#erase();
  }

  #draw(): void {
    if (!this.#timer) return;
    // A wrapped line could not be erased.
    this.#erase();
    this.#stream.write(this.#text().slice(0, (this.#stream.columns || 80) - 1));
  }

  #erase(): void {
    if (this.#timer) this.#stream.write('\r\u001b[2K');
  }
}
