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

/** Prints what is known of each environment as one JSON document: an array of them where there are several. */
export function sayDocuments(documents: readonly object[]): void {
  say(JSON.stringify(documents.length === 1 ? documents[0] : documents, null, 2));
}

/** The same on stderr: stdout may be a document. */
export function warn(text: string): void {
  process.stderr.write(`${printable(text)}\n`);
}
