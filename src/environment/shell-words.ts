/** A variable, or a command whose output a shell inserts. The length is limited, so that reading takes linear time. */
const EXPANSION = String.raw`\$\{[^{}]{0,200}\}|\$\((?:[^()]|\([^()]{0,200}\)){0,200}\)|\$\w+|\x60[^\x60]{0,500}\x60`;

/**
 * A part of a command line: quoted, escaped, the end of the command, space, or plain. A quotation without a closing quote extends to the
 * end of the text.
 */
const PIECE = new RegExp(
  [
    String.raw`\$'(?<ansi>(?:\\.|[^'\\])*)'?`,
    "'(?<single>[^']*)'?",
    String.raw`"(?<double>(?:\\.|[^"\\])*)"?`,
    String.raw`\\(?<escaped>\r?\n|.?)`,
    `(?<expansion>${EXPANSION})`,
    String.raw`\d?(?<!<)<<(?!<)-?[^\S\n]*(?<here>'[^'\n]*'|"[^"\n]*"|[^\s;|&<>()]+)`,
    String.raw`(?<skipped>(?<![^\s;|&])#[^\n]*|(?<=\s)\d?(?:>>?|<(?:<<)?)(?:&\d|[^\S\n]*(?:'[^']*'|"(?:\\.|[^"\\])*"|[^\s;|&'"])+))`,
    String.raw`(?<end>[;|&\n])`,
    String.raw`(?<space>[^\S\n]+)`,
    String.raw`(?<plain>(?:(?!<<)[^\s'"\\;|&$\x60])+|[$\x60<])`,
  ].join('|'),
  'gs',
);

const IN_DOUBLE = new RegExp(String.raw`\\(?:(["\\$\x60])|\n)|(${EXPANSION})`, 'gs');

/** A command of a script. `isPiped` is true if the command reads the output of another one. */
export interface ShellCommand {
  readonly words: readonly string[];
  readonly isPiped: boolean;
  /** The line in which the command begins, counted from 1. */
  readonly line: number;
}

/**
 * The commands of a script for a POSIX shell with bash's `$'…'`, without comments, redirections and here-documents. `expand` returns the
 * text for `$NAME`, `$(command)` and the like.
 */
export function shellCommands(text: string, expand: (expansion: string) => string = (same) => same): ShellCommand[] {
  const commands: { words: string[]; isPiped: boolean; line: number }[] = [{ words: [], isPiped: false, line: 1 }];
  let word: string | undefined;
  let line = 1;
  /** The end marks of the here-documents that begin in the next line. */
  const ends: string[] = [];
  const endWord = () => {
    if (word !== undefined) commands.at(-1)?.words.push(word);
    word = undefined;
  };
  const piece = new RegExp(PIECE);
  for (let match = piece.exec(text); match; match = piece.exec(text)) {
    const { ansi, single, double, escaped, expansion, here, skipped, end, space, plain } = match.groups ?? {};
    const command = commands.at(-1);
    if (command?.words.length === 0 && word === undefined) command.line = line;
    line += newLines(match[0]);
    if (here !== undefined) ends.push(here.replace(/["'\\]/g, ''));
    if ([end, space, skipped, here].some((each) => each !== undefined)) {
      endWord();
      // In `||`, the second `|` follows an empty command, so it isn't a pipe.
      if (end !== undefined) commands.push({ words: [], isPiped: end === '|' && command?.words.length !== 0, line });
      if (end === '\n')
        for (const last of ends.splice(0)) {
          const from = piece.lastIndex;
          piece.lastIndex = endOfHereDocument(text, from, last);
          line += newLines(text.slice(from, piece.lastIndex));
        }
      continue;
    }
    // A backslash continues the command in the next line.
    if (/^\r?\n$/.test(escaped ?? '')) continue;
    const inDouble = double?.replace(IN_DOUBLE, (_, kept = '', inside?: string) => (inside ? expand(inside) : kept));
    const quoted = ansi === undefined ? inDouble : ansiC(ansi);
    word = (word ?? '') + (quoted ?? single ?? escaped ?? (expansion === undefined ? plain : expand(expansion)) ?? '');
  }
  endWord();
  return commands.filter(({ words }) => words.length > 0);
}

const newLines = (text: string) => text.split('\n').length - 1;

/** The index after the line that consists of `last`, perhaps after tabs; the end of the text if there is no such line. */
function endOfHereDocument(text: string, from: number, last: string): number {
  for (let start = from; start < text.length; ) {
    const end = text.indexOf('\n', start);
    const line = text.slice(start, end < 0 ? undefined : end);
    if (line.replace(/^\t+|\r$/g, '') === last || end < 0) return end < 0 ? text.length : end + 1;
    start = end + 1;
  }
  return text.length;
}

/** The words of the first command in a text. Variables and command substitutions are not expanded. */
export function shellWords(text: string): readonly string[] {
  return shellCommands(text)[0]?.words ?? [];
}

const ANSI_C: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', 0: '\0', a: '\x07', b: '\b', e: '\x1b' };

function ansiC(text: string): string {
  return text.replace(/\\(?:x([\da-f]{1,2})|u([\da-f]{1,4})|(.))/gis, (_, byte?: string, unit?: string, other = '') => {
    const code = byte ?? unit;
    return code === undefined ? (ANSI_C[other] ?? other) : String.fromCharCode(Number.parseInt(code, 16));
  });
}
