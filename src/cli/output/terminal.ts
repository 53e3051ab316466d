import { exitCodes } from '../../verdict/exit-codes.ts';

/**
 * `text` with control and format characters, which a terminal would obey or reorder, written as `\uXXXX`.
 * Inside JSON this form means the same character.
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

/** Prints what is known of each environment as one JSON document: an array of them where there are several. */
export function sayDocuments(documents: readonly object[]): void {
  say(JSON.stringify(documents.length === 1 ? documents[0] : documents, null, 2));
}

/** The same on stderr: stdout may be a document. */
export function warn(text: string): void {
  process.stderr.write(`${printable(text)}\n`);
}

/** A SIGINT so soon after another, in ms, is the same one: it came to a group of processes, and then from what started this one. */
const SAME_WITHIN_MS = 1_000;

/**
 * A signal that Ctrl-C, SIGTERM or the end of the terminal aborts, so that running work can end cleanly. A second Ctrl-C exits at
 * once; other signals come more than once anyway.
 */
export function interruptible(): AbortSignal {
  const controller = new AbortController();
  // Windows has Ctrl-Break besides Ctrl-C, and no SIGTERM.
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
