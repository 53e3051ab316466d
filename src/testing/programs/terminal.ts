import { stripVTControlCharacters } from 'node:util';
import { type IPty, spawn } from '@lydell/node-pty';
import { projectRoot } from '../../environment/project-root.ts';
import { plainEnvironment } from './child.ts';
import { COMMAND } from './run-command.ts';

export const ENTER = '\r';
export const CTRL_C = '\x03';

/** A command on a pseudo-terminal of 80 columns. A test can wait for output, and type input. */
export class Terminal {
  readonly ended: Promise<number>;
  /** Everything that the command has written to the terminal, with control characters. */
  raw = '';
  readonly #pty: IPty;
  #seen = 0;
  #isOver = false;
  #changed: () => void = () => {};

  /** `args` are the arguments of Sextant, or of `program`, if it is given. */
  constructor(
    args: readonly string[],
    env: Readonly<Record<string, string>>,
    { longestMs = 240_000, cwd = projectRoot, program = '' } = {},
  ) {
    const { NO_COLOR: _, ...plain } = plainEnvironment();
    const given = { ...plain, ...env } as Record<string, string>;
    const typed = program ? [...args] : [COMMAND, ...args];
    this.#pty = spawn(program || process.execPath, typed, { cols: 80, rows: 40, cwd, env: given });
    this.#pty.onData((text) => {
      this.raw += text;
      this.#changed();
    });
    // If a test waits too long for output, the command is killed, and the test fails with the output so far.
    setTimeout(() => this.kill(), longestMs).unref();
    this.ended = new Promise((resolve) => {
      this.#pty.onExit(({ exitCode }) => {
        this.#isOver = true;
        this.#changed();
        resolve(exitCode);
      });
    });
  }

  /** The text that a person reads, without colours and cursor movements. */
  get said(): string {
    return stripVTControlCharacters(this.raw).replaceAll('\r', '');
  }

  /** Resolves when `pattern` is printed after the text that the last call waited for; fails if the command ends before that. */
  async hears(pattern: RegExp): Promise<string> {
    for (;;) {
      const match = pattern.exec(this.said.slice(this.#seen));
      if (match) {
        this.#seen += match.index + match[0].length;
        return match[0];
      }
      if (this.#isOver) throw new Error(`the command ended without ${pattern}; it said:\n${this.said}`);
      await new Promise<void>((resolve) => {
        this.#changed = resolve;
      });
    }
  }

  async answers(pattern: RegExp, text: string): Promise<void> {
    await this.hears(pattern);
    // From here on, the output is the reaction to this input.
    this.#seen = this.said.length;
    this.#pty.write(text);
  }

  kill(): void {
    if (!this.#isOver) this.#pty.kill('SIGKILL');
  }
}
