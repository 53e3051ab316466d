/** A block of Bruno's markup: `name { … }` with entries or a text, or `name [ … ]` with names. */
export interface BruBlock {
  readonly name: string;
  /** Entries of a block in braces; a disabled one begins with a tilde. */
  readonly entries: readonly { readonly key: string; readonly value: string; readonly enabled: boolean }[];
  /** Names of a block in brackets. */
  readonly names: readonly string[];
  /** All lines between the braces. */
  readonly text: string;
}

/** The blocks of a `.bru` file; empty if it is none. What can't be understood is passed over, as Bruno's versions add to the markup. */
export function bruBlocks(text: string): BruBlock[] {
  const blocks: BruBlock[] = [];
  const all = text.split(/\r?\n/);
  for (let at = 0; at < all.length; at++) {
    const [, name, open, rest = ''] = /^([a-z][\w:-]*)\s*([{[])(.*)$/i.exec(all[at] ?? '') ?? [];
    if (!name) continue;
    const close = open === '{' ? '}' : ']';
    const inside: string[] = [];
    // `vars:secret [ a, b ]` and `vars { }` may stand in one line.
    if (rest.trim().endsWith(close)) inside.push(rest.trim().slice(0, -1));
    else {
      while (++at < all.length && all[at] !== close) inside.push(all[at] ?? '');
    }
    blocks.push({
      name,
      entries: open === '{' ? entriesOf(inside) : [],
      names: open === '[' ? namesOf(inside) : [],
      text: inside.join('\n'),
    });
  }
  return blocks;
}

function entriesOf(inside: readonly string[]): BruBlock['entries'] {
  const entries: { key: string; value: string; enabled: boolean }[] = [];
  for (let at = 0; at < inside.length; at++) {
    // A key with a colon or a space stands in quotes.
    const [, off, quoted, plain, start = ''] =
      /^\s*(~?)(?:"((?:[^"\\]|\\.)*)"|([^:\s][^:]*?))\s*:(?:\s(.*))?$/.exec(inside[at] ?? '') ?? [];
    const key = quoted?.replaceAll('\\"', '"') ?? plain;
    if (key === undefined) continue;
    let value = start.trim();
    if (value === "'''") {
      const lines: string[] = [];
      while (++at < inside.length && inside[at]?.trim() !== "'''") lines.push(inside[at]?.trim() ?? '');
      value = lines.join('\n');
    }
    entries.push({ key: key.trim(), value, enabled: off !== '~' });
  }
  return entries;
}

function namesOf(inside: readonly string[]): string[] {
  return inside
    .join(',')
    .split(',')
    .map((name) => name.trim().replace(/^~/, ''))
    .filter(Boolean);
}
