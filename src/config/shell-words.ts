/** A piece of a command line: quoted, escaped, the end of the command, space, or plain. An open quote lasts to the end. */
const PIECE = new RegExp(
  [
    String.raw`\$'(?<ansi>(?:\\.|[^'\\])*)'?`,
    "'(?<single>[^']*)'?",
    String.raw`"(?<double>(?:\\.|[^"\\])*)"?`,
    String.raw`\\(?<escaped>\r?\n|.?)`,
    String.raw`(?<end>[;|&\n])`,
    String.raw`(?<space>[^\S\n]+)`,
    String.raw`(?<plain>[^\s'"\\;|&$]+|\$)`,
  ].join('|'),
  'gs',
);

/** The words of a command for a POSIX shell with bash's `$'…'`; it ends at an unquoted `;`, `|`, `&` or line break. */
export function shellWords(text: string): string[] {
  const words: string[] = [];
  let word: string | undefined;
  for (const { groups = {} } of text.matchAll(PIECE)) {
    const { ansi, single, double, escaped, end, space, plain } = groups;
    if (end === undefined && space === undefined) {
      // A line goes on in the next one.
      if (/^\r?\n$/.test(escaped ?? '')) continue;
      const quoted = ansi === undefined ? double?.replace(/\\(?:(["\\$`])|\n)/g, '$1') : ansiC(ansi);
      word = (word ?? '') + (quoted ?? single ?? escaped ?? plain ?? '');
      continue;
    }
    if (word !== undefined) words.push(word);
    word = undefined;
    if (end !== undefined && words.length > 0) return words;
  }
  return word === undefined ? words : [...words, word];
}

/** Whether a command goes on after this line: it ends with a backslash, or within quotes. */
export function isUnfinished(text: string): boolean {
  return /['"\\]/.test(text.replace(/\$'(?:\\.|[^'\\])*'|(?<!\$)'[^']*'|"(?:\\.|[^"\\])*"|\\./gs, ''));
}

const ANSI_C: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', 0: '\0', a: '\x07', b: '\b', e: '\x1b' };

function ansiC(text: string): string {
  return text.replace(/\\(?:x([\da-f]{1,2})|u([\da-f]{1,4})|(.))/gis, (_, byte?: string, unit?: string, other = '') => {
    const code = byte ?? unit;
    return code === undefined ? (ANSI_C[other] ?? other) : String.fromCharCode(Number.parseInt(code, 16));
  });
}
