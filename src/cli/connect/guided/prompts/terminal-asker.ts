import select from '@inquirer/select';
import { printable } from '../../../printable.ts';
import { type Asker, Stopped, type TextQuestion, wrapped } from './asker.ts';
import { textPrompt } from './text-prompt.ts';

type Key = { readonly ctrl?: boolean; readonly name?: string } | undefined;

/** Asks on the terminal of this process. */
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
