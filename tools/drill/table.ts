/** A table in Markdown; the first row is its heading. */
export function table(rows: readonly (readonly (string | number)[])[]): string {
  const [heading = [], ...rest] = rows.map((cells) => `| ${cells.join(' | ')} |`);
  return [heading, `|${(rows[0] ?? []).map(() => '---').join('|')}|`, ...rest].join('\n');
}
