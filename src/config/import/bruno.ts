import { type Contents, type Format, Found, variable } from './document.ts';
import { requestsIn } from './formats.ts';

export const bru: Format = {
  kind: 'a Bruno file (.bru), or the folder of a Bruno collection',
  read: ({ text }) => {
    const blocks = bruBlocks(text);
    const contents = bruContents(blocks, [blocks]);
    const { variables, requests, ignored = [] } = contents;
    return variables.length + requests.length + ignored.length > 0 ? contents : undefined;
  },
};

/** What `own` define, and the requests of files, each with the blocks of its folders after its own. */
export function bruContents(own: readonly BruBlock[], files: readonly (readonly BruBlock[])[]): Contents {
  const secrets = entriesIn(own, 'vars:secret').map(({ key }) => key);
  const variables = [...entriesIn(own, 'vars'), ...entriesIn(own, 'vars:pre-request')];
  return {
    variables: variables.map(({ key, value, enabled }) =>
      variable(key, value, { enabled, isSecret: secrets.includes(key) }),
    ),
    requests: requestsIn(new Found({ items: files.map((blocks) => ({ request: requestOf(blocks) })) })),
    // Bruno keeps the values of secrets in its own store, so they are never in a file.
    ignored: secrets.map((name) => `${name} is a secret, whose value Bruno does not write into its files`),
  };
}

const METHODS = ['get', 'post', 'put', 'delete'];

/** A request as Bruno's own export to JSON has it; `undefined` for a file without one. */
function requestOf(blocks: readonly BruBlock[]): object | undefined {
  const verb = blocks.find(({ name }) => METHODS.includes(name));
  const auth = blocks.find(({ name }) => name === 'auth:bearer' || name === 'auth:apikey');
  const mode = auth?.name.slice('auth:'.length) ?? 'none';
  return (
    verb && {
      method: verb.name.toUpperCase(),
      url: verb.entries.find(({ key }) => key === 'url')?.value,
      params: entriesIn(blocks, 'params:path'),
      headers: entriesIn(blocks, 'headers'),
      auth: { mode, [mode]: auth?.entries },
      body: { json: blocks.find(({ name }) => name === 'body:json')?.text },
    }
  );
}

function entriesIn(blocks: readonly BruBlock[], wanted: string): readonly BruEntry[] {
  return blocks.flatMap(({ name, entries }) => (name === wanted ? entries : []));
}

export type BruBlock = ReturnType<typeof bruBlocks>[number];

/**
 * The blocks of a `.bru` file, `name { … }` with entries or a text, or `name [ … ]` with names alone; empty if it is none. What can't be
 * understood is passed over, as Bruno's versions add to the markup.
 */
export function bruBlocks(text: string) {
  const blocks: { readonly name: string; readonly entries: readonly BruEntry[]; readonly text: string }[] = [];
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
    blocks.push({ name, entries: open === '{' ? entriesOf(inside) : namesOf(inside), text: inside.join('\n') });
  }
  return blocks;
}

type BruEntry = ReturnType<typeof entriesOf>[number];

function entriesOf(inside: readonly string[]) {
  const entries: { readonly key: string; readonly value: string; readonly enabled: boolean }[] = [];
  for (let at = 0; at < inside.length; at++) {
    // A key with a colon or a space stands in quotes; a disabled entry begins with a tilde.
    const [, off, quoted, plain, start = ''] =
      /^\s*(~?)(?:"((?:[^"\\]|\\.)*)"\s*|([^:\s][^:]*)):(?:\s(.*))?$/.exec(inside[at] ?? '') ?? [];
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

function namesOf(inside: readonly string[]): BruEntry[] {
  const names = inside.flatMap((line) => line.split(',')).map((name) => name.trim().replace(/^~/, ''));
  return names.filter(Boolean).map((key) => ({ key, value: '', enabled: true }));
}
