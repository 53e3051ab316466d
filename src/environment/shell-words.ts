/** A variable, or a command whose output a shell inserts. The length is limited, so that reading takes linear time. */
const EXPANSION = String.raw`\$\{[^{}]{0,200}\}|\$\((?:[^()]|\([^()]{0,200}\)){0,200}\)|\$\w+|\x60[^\x60]{0,500}\x60`;

/** A piece of a command line: quoted, escaped, the end of the command, space, or plain. An open quote lasts to the end. */
const PIECE = new RegExp(
  [
    String.raw`\$'(?<ansi>(?:\\.|[^'\\])*)'?`,
    "'(?<single>[^']*)'?",
    String.raw`"(?<double>(?:\\.|[^"\\])*)"?`,
    String.raw`\\(?<escaped>\r?\n|.?)`,
    `(?<expansion>${EXPANSION})`,
    String.raw`(?<skipped>(?<![^\s;|&])#[^\n]*|(?<=\s)\d?(?:>>?|<)(?:&\d|[^\S\n]*[^\s;|&]+))`,
    String.raw`(?<end>[;|&\n])`,
    String.raw`(?<space>[^\S\n]+)`,
    String.raw`(?<plain>[^\s'"\\;|&$\x60]+|[$\x60])`,
  ].join('|'),
  'gs',
);

const IN_DOUBLE = new RegExp(String.raw`\\(?:(["\\$\x60])|\n)|(${EXPANSION})`, 'gs');

/** A command of a script; `isPiped`: it reads what another one wrote. */
export interface ShellCommand {
  readonly words: readonly string[];
  readonly isPiped: boolean;
}

/**
 * The commands of a script for a POSIX shell with bash's `$'…'`, without comments and redirections. `expand` makes the text of `$NAME`,
 * `$(command)` and the like.
 */
export function shellCommands(text: string, expand: (expansion: string) => string = (same) => same): ShellCommand[] {
  const commands: { words: string[]; isPiped: boolean }[] = [{ words: [], isPiped: false }];
  let word: string | undefined;
  const endWord = () => {
    if (word !== undefined) commands.at(-1)?.words.push(word);
    word = undefined;
  };
  for (const { groups = {} } of text.matchAll(PIECE)) {
    const { ansi, single, double, escaped, expansion, skipped, end, space, plain } = groups;
    if (end !== undefined || space !== undefined || skipped !== undefined) {
      endWord();
      // `||` is no pipe: its second half ends an empty command.
      if (end !== undefined) commands.push({ words: [], isPiped: end === '|' && commands.at(-1)?.words.length !== 0 });
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

/** The words of the first command of a text; nothing is expanded. */
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
