const NARROW = 40;
const USUAL = 80;

/** `text` in lines of at most `columns` characters, broken at spaces; later lines are indented like the first. */
export function wrapped(text: string, columns = process.stdout.columns ?? USUAL): string {
  return text
    .split('\n')
    .map((line) => wrapLine(line, Math.max(NARROW, columns - 1)))
    .join('\n');
}

function wrapLine(line: string, width: number): string {
  if (line.length <= width) return line;
  const indent = /^ */.exec(line)?.[0] ?? '';
  const lines: string[] = [];
  let current = indent;
  for (const word of line.trim().split(' ')) {
    const isFirst = current === indent;
    if (!isFirst && current.length + 1 + word.length > width) {
      lines.push(current);
      current = indent + word;
    } else current += isFirst ? word : ` ${word}`;
  }
  return [...lines, current].join('\n');
}
