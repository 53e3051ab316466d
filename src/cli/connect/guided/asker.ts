import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { styleText } from 'node:util';
import type { Checked } from '../../../environment/index.ts';
import { printable } from '../../output/terminal.ts';

/** The answer with which a person returns to the previous question. */
export const BACK = '<';

export interface TextQuestion {
  readonly message: string;
  /** The expected format, shown below the message. */
  readonly format: string;
  /** The default, which Enter accepts. Without a default, an empty answer is accepted only if `isOptional`. */
  readonly suggestion?: string | undefined;
  readonly isOptional?: boolean;
  readonly check: (value: string) => Checked<unknown>;
  /** The terminal must not show the typed characters. */
  readonly isHidden?: boolean;
}

interface Choice<T extends string> {
  readonly value: T;
  readonly name: string;
}

/** Asks a person. Every method throws `Stopped` if the person stops the interview (Ctrl-C, Ctrl-D, a closed terminal). */
export interface Asker {
  /**
   * Returns the answer without surrounding white space: empty if the person left out an optional answer, `BACK` if the person wants the
   * previous question.
   */
  text(question: TextQuestion): Promise<string>;
  choose<T extends string>(message: string, choices: readonly Choice<T>[], suggestion?: T): Promise<T>;
  say(text: string): void;
}

export async function confirms(asker: Asker, question: string, usual: 'yes' | 'no' = 'yes'): Promise<boolean> {
  const choices = (['yes', 'no'] as const).map((value) => ({ value, name: value }));
  return (await asker.choose(question, choices, usual)) === 'yes';
}

export class Stopped extends Error {
  override readonly name = 'Stopped';
}

/** The problem with an answer; `undefined` if the answer is accepted. */
export function problemOf({ check, isOptional = false }: TextQuestion, answer: string) {
  if (answer === BACK) return undefined;
  if (answer === '') return isOptional ? undefined : { problem: 'an answer is needed' };
  const checked = check(answer);
  return 'problem' in checked ? checked : undefined;
}

export function terminalAsker(): Asker {
  const say = (text: string) => void process.stdout.write(`${printable(text)}\n`);
  const ask = (text: string) => void process.stdout.write(`${styleText('bold', printable(`? ${text}`))}\n`);
  return {
    say,
    text: async (question) => {
      let { suggestion } = question;
      ask(question.message);
      say(`  ${question.format}`);
      for (;;) {
        const typed = await answerTo({ ...question, suggestion });
        const answer = typed || (suggestion ?? '');
        const found = problemOf(question, answer);
        if (found === undefined) return answer;
        if ('instead' in found && found.instead !== undefined) suggestion = found.instead;
        say(`  ✗ ${found.problem}${suggestion ? '; Enter accepts the one in brackets' : ''}`);
      }
    },
    choose: async (message, choices, suggestion) => {
      ask(message);
      for (const [index, { name }] of choices.entries()) say(`  ${index + 1}  ${name}`);
      const at = choices.findIndex(({ value }) => value === suggestion);
      const usual = String(Math.max(0, at) + 1);
      for (;;) {
        const typed = (await answerTo({ suggestion: usual })) || usual;
        const named = choices.filter(({ name }) => name.toLowerCase().startsWith(typed.toLowerCase()));
        const chosen =
          choices[Number(typed) - 1] ??
          choices.find(({ value }) => value === typed) ??
          (named.length === 1 ? named[0] : undefined);
        if (chosen) return chosen.value;
        say(`  ✗ expected a number from 1 to ${choices.length}, or the beginning of one line`);
      }
    },
  };
}

/**
 * Reads a line from the terminal.
 * @throws Stopped if the person stops
 */
function answerTo({ suggestion = '', isHidden = false }: Pick<TextQuestion, 'suggestion' | 'isHidden'>) {
  const output = new Writable({
    write: (chunk, _, done) => {
      if (!isHidden || lines.line === '') process.stdout.write(chunk);
      done();
    },
  });
  Object.defineProperty(output, 'columns', { get: () => process.stdout.columns });
  const lines = createInterface({
    input: process.stdin,
    output,
    terminal: true,
    historySize: 0,
    // Tab puts the suggestion into the line, where the person can change it.
    completer: (line: string) => [line === '' && suggestion ? [suggestion] : [], line],
    prompt: suggestion ? `  [${printable(suggestion)}] > ` : '  > ',
  });
  return new Promise<string>((resolve, reject) => {
    lines.once('line', (line) => {
      resolve(line.trim());
      lines.close();
      // The person's line break was hidden like the typed text, so print one.
      if (isHidden) process.stdout.write('\n');
    });
    // If the input closes before an answer, the person has stopped.
    lines.on('close', () => reject(new Stopped('stopped')));
    lines.prompt();
  });
}
