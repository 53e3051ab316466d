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

/** Prints a line, or several. */
export function say(text: string): void {
  process.stdout.write(`${printable(text)}\n`);
}

/** The same on stderr: stdout may be a document. */
export function warn(text: string): void {
  process.stderr.write(`${printable(text)}\n`);
}
