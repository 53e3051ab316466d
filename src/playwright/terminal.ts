import { fstatSync } from 'node:fs';
import { stripVTControlCharacters, styleText } from 'node:util';
import type { Begun, RunEvents } from '../run/ending/index.ts';
import { areaTitle } from '../service/index.ts';
import { type Verdict, verdicts } from '../verdict/index.ts';

const formats = ['bold', 'dim', 'green', 'yellow', 'red', 'magenta', 'cyan'] as const;

export type Colours = Readonly<Record<(typeof formats)[number], (text: string) => string>>;

/** CI systems whose logs show colours although they are no terminals. Each system sets the variable in this list. */
const pipelines = [
  'GITHUB_ACTIONS',
  'GITLAB_CI',
  'GITEA_ACTIONS',
  'CIRCLECI',
  'TRAVIS',
  'BUILDKITE',
  'DRONE',
  'APPVEYOR',
  'TF_BUILD',
];

const isNo = (value: string) => /^(0|false)$/i.test(value);
const isSet = (value: string | undefined) => value !== undefined && value !== '' && !isNo(value);

/**
 * Whether an output has colours: a terminal has them, and the log of a CI system in `pipelines`. A file has colours only with FORCE_COLOR.
 * NO_COLOR switches all colours off.
 */
export function showsColours(
  env: NodeJS.ProcessEnv,
  output: { readonly isTerminal: boolean; readonly isFile: boolean },
): boolean {
  const { NO_COLOR, FORCE_COLOR, TERM } = env;
  if (NO_COLOR) return false;
  if (FORCE_COLOR !== undefined) return !isNo(FORCE_COLOR);
  if (TERM === 'dumb' || output.isFile) return false;
  return output.isTerminal || pipelines.some((name) => isSet(env[name]));
}

export const hasColours = showsColours(process.env, { isTerminal: process.stdout.isTTY, isFile: isFile(1) });

function isFile(descriptor: number): boolean {
  try {
    return fstatSync(descriptor).isFile();
  } catch {
    return false;
  }
}

export function colours(isOn = hasColours): Colours {
  const paint = (format: (typeof formats)[number]) => (text: string) =>
    isOn ? styleText(format, text, { validateStream: false }) : text;
  return Object.fromEntries(formats.map((format) => [format, paint(format)])) as Colours;
}

/** Whether a stream is a terminal on which a line can be overwritten. */
export function isLive(stream: NodeJS.WriteStream): boolean {
  return stream.isTTY && process.env.TERM !== 'dumb' && !isSet(process.env.CI);
}

/** One line at the bottom of a terminal that changes in place. Not drawn if the stream is no terminal. */
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
    // The line is cut to the width of the terminal, because a wrapped line could not be erased.
    this.#erase();
    this.#stream.write(this.#text().slice(0, (this.#stream.columns || 80) - 1));
  }

  #erase(): void {
    if (this.#timer) this.#stream.write('\r\u001b[2K');
  }
}

type Ended = { readonly title: string; readonly verdict: Verdict };

/** Minimum number of ended scenarios for an estimate of the remaining time. With fewer, the estimate would jump about. */
const FEWEST_FOR_GUESS = 3;

/** Shows the progress of a run on a live line. All times are in ms, from the same clock. */
export class LiveProgress extends LiveLine implements RunEvents<Ended> {
  readonly #total: number;
  readonly #startedAt: number;
  /** When the first test began. */
  #begunAt: number | undefined;
  readonly #ended: Ended[] = [];
  readonly #underWay = new Map<string, Begun>();

  constructor(stream: NodeJS.WriteStream, total: number, startedAt = performance.now()) {
    super(stream, () => stripVTControlCharacters(this.text(performance.now())));
    this.#total = total;
    this.#startedAt = startedAt;
  }

  started(scenario: Begun, now = performance.now()): void {
    this.#begunAt ??= now;
    this.#underWay.set(`${scenario.environment}\n${scenario.title}`, scenario);
  }

  finished(environment: string, result: Ended): void {
    this.#underWay.delete(`${environment}\n${result.title}`);
    this.#ended.push(result);
  }

  /** One line: ended tests of all tests, time so far and remaining, red tests, and the running tests by area. */
  text(now: number): string {
    const done = this.#ended.length;
    const red = this.#ended.filter(({ verdict }) => verdicts[verdict].exitCode === 1).map(({ title }) => title);
    const running = [...Map.groupBy(this.#underWay.values(), ({ area }) => area)].map(
      ([area, all]) => `${areaTitle(area)}: ${[...new Set(all.map(({ title }) => title))].join(', ')}`,
    );
    const runningMs = now - (this.#begunAt ?? this.#startedAt);
    const canGuess = done >= FEWEST_FOR_GUESS && done < this.#total;
    const left = canGuess ? `, about ${seconds((runningMs / done) * (this.#total - done))} left` : '';
    return [
      `${done}/${this.#total}`,
      `${seconds(now - this.#startedAt)}${left}`,
      ...(red.length > 0 ? [`${red.length} red: ${red.at(-1)}`] : []),
      ...running,
    ].join(' · ');
  }
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(ms < 10_000 ? 1 : 0)} s`;
}
