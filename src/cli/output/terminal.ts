import { exitCodes } from '../../verdict/exit-codes.ts';

/**
 * `text` with `\uXXXX` in place of control and format characters, which a terminal would obey or reorder.
 * In JSON, this form means the same character.
 */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (character) =>
    character === '\n'
      ? character
      : character.replace(/./gs, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
  );
}

export function say(text: string): void {
  process.stdout.write(`${printable(text)}\n`);
}

/** Prints JSON: the document itself if there is only one, otherwise an array of the documents. */
export function sayDocuments(documents: readonly object[]): void {
  say(JSON.stringify(documents.length === 1 ? documents[0] : documents, null, 2));
}

/** Prints a line on stderr, because stdout may be a document. */
export function warn(text: string): void {
  process.stderr.write(`${printable(text)}\n`);
}

/**
 * Time in which a second SIGINT belongs to the same Ctrl-C, in ms. The terminal sends SIGINT to the whole process group, and the process
 * that started this one may pass on its own SIGINT.
 */
const SAME_WITHIN_MS = 1_000;

/**
 * Returns an AbortSignal that is aborted by Ctrl-C, SIGTERM or the end of the terminal, so that running work can end cleanly. A second
 * Ctrl-C exits at once. A second signal of another kind does nothing, because a system may send it twice.
 */
export function interruptible(): AbortSignal {
  const controller = new AbortController();
  // Windows has Ctrl-Break in addition to Ctrl-C, and no SIGTERM.
  const typed = ['SIGINT', ...(process.platform === 'win32' ? ['SIGBREAK' as const] : [])] as const;
  let isSame = false;
  const forget = () => {
    isSame = false;
  };
  for (const name of typed) {
    process.on(name, () => {
      if (isSame) return;
      if (controller.signal.aborted) process.exit(exitCodes.interrupted);
      isSame = true;
      setTimeout(forget, SAME_WITHIN_MS).unref();
      controller.abort();
    });
  }
  for (const name of ['SIGTERM', 'SIGHUP'] as const) process.on(name, () => controller.abort());
  return controller.signal;
}
