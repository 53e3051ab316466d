import { styleText } from 'node:util';
import {
  createPrompt,
  isEnterKey,
  isTabKey,
  type Status,
  useKeypress,
  usePrefix,
  useRef,
  useState,
} from '@inquirer/core';
import select from '@inquirer/select';
import { printable } from '../../output/terminal.ts';
import { type Asker, problemOf, Stopped, type TextQuestion, wrapped } from './asker.ts';

type Key = { readonly ctrl?: boolean; readonly name?: string } | undefined;

export function terminalAsker(): Asker {
  return {
    text: async (question: TextQuestion) => (await stoppable((context) => textPrompt(question, context))).trim(),
    choose: (message, choices, suggestion) =>
      stoppable((context) =>
        select(
          { message, choices: [...choices], loop: false, ...(suggestion ? { default: suggestion } : {}) },
          context,
        ),
      ),
    say: (text) => void process.stdout.write(`${wrapped(printable(text))}\n`),
  };
}

/** A prompt that ends with `Stopped` on Ctrl-C, and on Ctrl-D and the end of the input, which the library would wait after. */
async function stoppable<T>(prompt: (context: { readonly signal: AbortSignal }) => Promise<T>): Promise<T> {
  const ending = new AbortController();
  const end = () => ending.abort();
  const onKey = (_: unknown, key: Key) => {
    if (key?.ctrl && key.name === 'd') end();
  };
  process.stdin.on('keypress', onKey).once('end', end);
  try {
    return await prompt({ signal: ending.signal });
  } catch (error) {
    if (['ExitPromptError', 'AbortPromptError'].includes((error as Error).name)) throw new Stopped('stopped');
    throw error;
  } finally {
    process.stdin.off('keypress', onKey).off('end', end);
  }
}

/** Stands for a secret that was entered, whatever its length. */
const ENTERED = '********';

interface Typed {
  /** Lines before the one with the cursor. */
  earlier: readonly string[];
  line: string;
  /** What was wrong with the answer that Enter was pressed on; typing goes on without it. */
  refused: string | undefined;
  isOver: boolean;
  isDue: boolean;
}

export const textPrompt = createPrompt<string, TextQuestion>((question, done) => {
  const [status, setStatus] = useState<Status>('idle');
  const [, setVersion] = useState(0);
  const typed = useRef<Typed>({ earlier: [], line: '', refused: undefined, isOver: false, isDue: false }).current;
  const prefix = usePrefix({ status });
  const { suggestion = '', goesOn, masked } = question;

  /** Once for all keys that come together: a pasted token has thousands. */
  const drawSoon = () => {
    if (typed.isDue) return;
    typed.isDue = true;
    setImmediate(() => {
      typed.isDue = false;
      if (!typed.isOver) setVersion((version) => version + 1);
    });
  };

  useKeypress((key, readline) => {
    if (typed.isOver) return;
    drawSoon();
    if (isTabKey(key)) {
      typed.line ||= suggestion;
      readline.clearLine(0);
      readline.write(typed.line);
      return;
    }
    if (!isEnterKey(key)) {
      typed.line = readline.line;
      typed.refused = undefined;
      return;
    }
    const text = [...typed.earlier, typed.line].join('\n');
    if (goesOn?.(text)) {
      typed.earlier = [...typed.earlier, typed.line];
      typed.line = '';
      return;
    }
    const answer = text.trim() || suggestion;
    const found = problemOf(question, answer);
    if (found === undefined) {
      typed.line = answer;
      typed.isOver = true;
      setStatus('done');
      done(answer);
    } else {
      typed.refused = found.problem;
      typed.line = found.instead ?? typed.line;
      // Enter has emptied the line.
      readline.write(typed.line);
    }
  });

  const message = styleText('bold', question.message);
  const { line } = typed;
  if (status === 'done') {
    const [first = ''] = line.split('\n');
    const shown = masked && line !== '' ? ENTERED : first;
    return `${prefix} ${message} ${styleText('cyan', printable(shown))}`;
  }
  const offered = suggestion && line === '' ? `${styleText('dim', `(${printable(suggestion)})`)} ` : '';
  return [`${prefix} ${message} ${offered}${shownLine(question, typed)}`, below(question, typed)];
});

/** Of a masked text, later lines are hidden as a whole. */
function shownLine({ masked }: TextQuestion, { line, earlier }: Typed): string {
  if (!masked) return line;
  return earlier.length > 0 ? '*'.repeat(line.length) : masked(line);
}

/** The format, or what is wrong with the text so far. */
function below(question: TextQuestion, { line, earlier, refused }: Typed): string {
  if (earlier.length > 0) return styleText('dim', `  ${earlier.length + 1} lines; Enter after the last one`);
  const text = line.trim();
  if (text === '' && refused === undefined) return styleText('dim', wrapped(`  ${question.format}`));
  const { problem } = problemOf(question, text) ?? {};
  // What was refused is corrected in the line, which the next Enter takes.
  if (problem === undefined && refused) return styleText('yellow', wrapped(`  ${printable(refused)}; Enter takes it`));
  if (problem === undefined) return styleText('green', '  ok');
  // Half an address can't be valid yet; it is a mistake only after Enter.
  return styleText(refused === undefined ? 'yellow' : 'red', wrapped(`  ${printable(problem)}`));
}
