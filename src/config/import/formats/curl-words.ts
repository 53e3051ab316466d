/** The words of a command line, as the shell that it was copied for would split it. */
export function curlWords(text: string): string[] {
  return /\^(\r?\n|")/.test(text) ? windowsWords(withoutCarets(text)) : posixWords(text);
}

/** Whether a command goes on after this line: it ends with a backslash or a caret, or within quotes. */
export function isUnfinished(text: string): boolean {
  if (/[\\^]$/.test(text)) return true;
  if (/\^(\r?\n|")/.test(text)) return false;
  const quoted = text.matchAll(/\$'(?:\\.|[^'\\])*('|$)|'[^']*('|$)|"(?:\\.|[^"\\])*("|$)|\\./gs);
  return [...quoted].some(([, ...ends]) => ends.includes(''));
}

const ANSI_C: Readonly<Record<string, string>> = {
  n: '\n',
  r: '\r',
  t: '\t',
  0: '\0',
  a: '\x07',
  b: '\b',
  e: '\x1b',
  f: '\f',
  v: '\v',
};

/** A POSIX shell with bash's `$'…'`; the command ends at an unquoted `;`, `|`, `&` or line break. */
export function posixWords(text: string): string[] {
  const words: string[] = [];
  let word: string | undefined;
  for (let at = 0; at < text.length; ) {
    const rest = text.slice(at, at + 2);
    if (rest === "$'") {
      const { value, end } = ansiC(text, at + 2);
      word = (word ?? '') + value;
      at = end;
    } else if (text[at] === "'") {
      const end = closing(text, "'", at + 1);
      word = (word ?? '') + text.slice(at + 1, end);
      at = end + 1;
    } else if (text[at] === '"') {
      const { value, end } = doubleQuoted(text, at + 1);
      word = (word ?? '') + value;
      at = end;
    } else if (text[at] === '\\') {
      const next = text.slice(at + 1, at + 3) === '\r\n' ? '\r\n' : (text[at + 1] ?? '');
      if (!/^\r?\n$/.test(next)) word = (word ?? '') + next;
      at += 1 + next.length;
    } else if (/[\s;|&]/.test(text[at] ?? '')) {
      if (word !== undefined) words.push(word);
      word = undefined;
      if (/[;|&\n]/.test(text[at] ?? '') && words.length > 0) return words;
      at++;
    } else {
      word = (word ?? '') + text[at];
      at++;
    }
  }
  return word === undefined ? words : [...words, word];
}

function closing(text: string, quote: string, from: number): number {
  const end = text.indexOf(quote, from);
  return end < 0 ? text.length : end;
}

function doubleQuoted(text: string, from: number): { readonly value: string; readonly end: number } {
  let value = '';
  for (let at = from; at < text.length; at++) {
    const next = text[at + 1] ?? '';
    if (text[at] === '"') return { value, end: at + 1 };
    if (text[at] === '\\' && '"\\$`\n'.includes(next)) {
      if (next !== '\n') value += next;
      at++;
    } else value += text[at];
  }
  return { value, end: text.length };
}

function ansiC(text: string, from: number): { readonly value: string; readonly end: number } {
  let value = '';
  for (let at = from; at < text.length; at++) {
    if (text[at] === "'") return { value, end: at + 1 };
    if (text[at] !== '\\') {
      value += text[at];
      continue;
    }
    const code = /^(?:x([0-9a-f]{1,2})|u([0-9a-f]{1,4}))/i.exec(text.slice(at + 1, at + 6));
    if (code) {
      value += String.fromCharCode(Number.parseInt(code[1] ?? code[2] ?? '', 16));
      at += code[0].length;
    } else {
      const next = text[at + 1] ?? '';
      value += ANSI_C[next] ?? next;
      at++;
    }
  }
  return { value, end: text.length };
}

/** What cmd.exe hands over: a caret escapes the next character outside plain quotes, and joins lines. */
function withoutCarets(text: string): string {
  let isQuoted = false;
  let handed = '';
  for (let at = 0; at < text.length; at++) {
    const next = text.slice(at + 1, at + 3) === '\r\n' ? '\r\n' : (text[at + 1] ?? '');
    if (text[at] === '^' && !isQuoted) {
      handed += /^\r?\n$/.test(next) ? ' ' : next;
      at += next.length;
    } else {
      if (text[at] === '"') isQuoted = !isQuoted;
      handed += text[at];
    }
  }
  return handed;
}

/** How a program on Windows splits what it was handed: `\"` is a quote, and so is `""` within quotes. */
function windowsWords(text: string): string[] {
  const words: string[] = [];
  let word: string | undefined;
  let isQuoted = false;
  for (let at = 0; at < text.length; at++) {
    const [, slashes = '', quote] = /^(\\*)("?)/.exec(text.slice(at, at + 100)) ?? [];
    if (slashes !== '' && quote) {
      word = (word ?? '') + '\\'.repeat(Math.floor(slashes.length / 2)) + (slashes.length % 2 === 1 ? '"' : '');
      at += slashes.length - (slashes.length % 2 === 1 ? 0 : 1);
    } else if (text[at] === '"') {
      word ??= '';
      if (isQuoted && text[at + 1] === '"') {
        word += '"';
        at++;
      } else isQuoted = !isQuoted;
    } else if (/\s/.test(text[at] ?? '') && !isQuoted) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else word = (word ?? '') + text[at];
  }
  return word === undefined ? words : [...words, word];
}
