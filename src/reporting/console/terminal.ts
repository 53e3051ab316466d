import { styleText } from 'node:util';

const formats = ['bold', 'dim', 'green', 'yellow', 'red', 'magenta', 'cyan'] as const;

export type Colours = Readonly<Record<(typeof formats)[number], (text: string) => string>>;

const { NO_COLOR, FORCE_COLOR, CI, TERM } = process.env;

/** Whether the output has colours: on a terminal, and in CI, whose logs show them; never with NO_COLOR. */
export const hasColours = !NO_COLOR && Boolean(FORCE_COLOR || CI || (process.stdout.isTTY && TERM !== 'dumb'));

export function colours(isOn = hasColours): Colours {
  const paint = (format: (typeof formats)[number]) => (text: string) =>
    isOn ? styleText(format, text, { validateStream: false }) : text;
  return Object.fromEntries(formats.map((format) => [format, paint(format)])) as Colours;
}

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
