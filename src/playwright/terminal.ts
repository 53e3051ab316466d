import { stripVTControlCharacters, styleText } from 'node:util';
import { type Verdict, verdicts } from '../client/index.ts';
import type { Begun, RunEvents } from '../engine/run/index.ts';
import { areaTitle } from '../spec/index.ts';

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

/** How far a run is, on a live line. */
export class LiveProgress extends LiveLine implements RunEvents<Ended> {
  readonly #progress: RunProgress;

  constructor(stream: NodeJS.WriteStream, total: number, startedAt = performance.now()) {
    const progress: RunProgress = { total, startedAt, ended: [], underWay: new Map() };
    super(stream, () => stripVTControlCharacters(progressText(progress, performance.now())));
    this.#progress = progress;
  }

  started(scenario: Begun): void {
    this.#progress.begunAt ??= performance.now();
    this.#progress.underWay.set(keyOf(scenario.environment, scenario.title), scenario);
  }

  finished(environment: string, result: Ended): void {
    this.#progress.underWay.delete(keyOf(environment, result.title));
    this.#progress.ended.push(result);
  }
}

type Ended = { readonly title: string; readonly verdict: Verdict };

function keyOf(environment: string, title: string): string {
  return `${environment}\n${title}`;
}

/** Times are in ms, by one clock. */
export interface RunProgress {
  readonly total: number;
  readonly startedAt: number;
  /** When the first test began. */
  begunAt?: number;
  readonly ended: Ended[];
  readonly underWay: Map<unknown, Pick<Begun, 'title' | 'area'>>;
}

/** A guess from fewer scenarios would jump about. */
const FEWEST_FOR_GUESS = 3;

/** One line: what is red already, how many of how many, how long still, and what runs in which area. */
export function progressText(progress: RunProgress, now: number): string {
  const { total, startedAt, begunAt = startedAt, ended, underWay } = progress;
  const red = ended.filter(({ verdict }) => verdicts[verdict].exitCode === 1).map(({ title }) => title);
  const running = [...Map.groupBy(underWay.values(), ({ area }) => area)].map(
    ([area, all]) => `${areaTitle(area)}: ${[...new Set(all.map(({ title }) => title))].join(', ')}`,
  );
  return [
    `${ended.length}/${total}`,
    `${seconds(now - startedAt)}${leftText(total, ended.length, now - begunAt)}`,
    ...(red.length > 0 ? [`${red.length} red: ${red.at(-1)}`] : []),
    ...running,
  ].join(' · ');
}

function leftText(total: number, done: number, runningMs: number): string {
  if (done < FEWEST_FOR_GUESS || done >= total) return '';
  return `, about ${seconds((runningMs / done) * (total - done))} left`;
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(ms < 10_000 ? 1 : 0)} s`;
}
