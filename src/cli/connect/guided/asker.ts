import type { Checked } from '../../../config/index.ts';

type Problem = Extract<Checked<unknown>, { readonly problem: string }>;

export interface TextQuestion {
  readonly message: string;
  /** The expected format, shown while nothing is typed. */
  readonly format: string;
  /** The answer to Enter; absent: nothing may be entered only if `isOptional`. */
  readonly suggestion?: string | undefined;
  readonly isOptional?: boolean;
  readonly check: (value: string) => Checked<unknown>;
  /** What the terminal shows in place of each character; absent: the text itself. */
  readonly masked?: (value: string) => string;
  /** The text goes on after a line break, e.g. a command with a backslash at the end of a line. */
  readonly goesOn?: (text: string) => boolean;
}

/** Asks a person. Every method throws `Stopped` when the person stops (Ctrl-C, Ctrl-D, a closed terminal). */
export interface Asker {
  /** The answer without white space around it; empty if it is optional and left out. */
  text(question: TextQuestion): Promise<string>;
  choose<T extends string>(
    message: string,
    choices: readonly { readonly value: T; readonly name: string }[],
    suggestion?: T,
  ): Promise<T>;
  say(text: string): void;
}

export async function confirms(asker: Asker, question: string): Promise<boolean> {
  const choices = ['yes', 'no'].map((value) => ({ value, name: value }));
  return (await asker.choose(question, choices)) === 'yes';
}

export class Stopped extends Error {
  override readonly name = 'Stopped';
}

/** The problem with an answer; `undefined` if it can be taken. */
export function problemOf({ check, isOptional = false }: TextQuestion, answer: string): Problem | undefined {
  if (answer === '') return isOptional ? undefined : { problem: 'an answer is needed' };
  const checked = check(answer);
  return 'problem' in checked ? checked : undefined;
}

const NARROW = 40;
const USUAL = 80;

/** `text` in lines of at most `columns` characters, broken at spaces; later lines are indented like the first. */
export function wrapped(text: string, columns = process.stdout.columns ?? USUAL): string {
  return text
    .split('\n')
    .map((line) => wrapLine(line, Math.max(NARROW, columns - 1)))
    .join('\n');
}

function wrapLine(line: string, width: number): string {
  if (line.length <= width) return line;
  const [indent = ''] = /^ */.exec(line) ?? [];
  const part = new RegExp(`\\S.{0,${Math.max(width - indent.length, 1) - 1}}(?= |$)|\\S+`, 'g');
  return (line.trim().match(part) ?? []).map((each) => indent + each).join('\n');
}
