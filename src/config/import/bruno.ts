import { type Contents, type Format, type SeenRequest, variable } from './document.ts';

/** A file of a Bruno collection: an environment, or a request. */
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
    requests: files.flatMap(requestIn),
    // Bruno keeps the values of secrets in its own store, so they are never in a file.
    ignored: secrets.map((name) => `${name} is a secret, whose value Bruno does not write into its files`),
  };
}

const METHODS = ['get', 'post', 'put', 'delete'];

function requestIn(blocks: readonly BruBlock[]): SeenRequest[] {
  const verb = blocks.find(({ name }) => METHODS.includes(name));
  if (!verb) return [];
  const field = (block: BruBlock | undefined, key: string) =>
    block?.entries.find((each) => each.key === key)?.value ?? '';
  const named = (name: string) => blocks.find((block) => block.name === name);
  const headers = entriesIn(blocks, 'headers').filter(({ enabled }) => enabled);
  const token = field(named('auth:bearer'), 'token');
  const key = named('auth:apikey');
  const url = entriesIn(blocks, 'params:path').reduce(
    (text, { key: name, value }) => (value ? text.replaceAll(`/:${name}`, `/${value}`) : text),
    field(verb, 'url'),
  );
  return [
    {
      method: verb.name.toUpperCase(),
      url,
      headers: [
        ...headers.map(({ key: name, value }) => [name, value] as const),
        ...(token ? [['Authorization', `bearer ${token}`] as const] : []),
        ...(key && field(key, 'placement') !== 'queryparams'
          ? [[field(key, 'key'), field(key, 'value')] as const]
          : []),
      ],
      body: named('body:json')?.text || undefined,
    },
  ];
}

function entriesIn(blocks: readonly BruBlock[], wanted: string): readonly BruEntry[] {
  return blocks.flatMap(({ name, entries }) => (name === wanted ? entries : []));
}

interface BruEntry {
  readonly key: string;
  readonly value: string;
  readonly enabled: boolean;
}

/** A block of Bruno's markup: `name { … }` with entries or a text, or `name [ … ]` with names alone. */
export interface BruBlock {
  readonly name: string;
  readonly entries: readonly BruEntry[];
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
    blocks.push({ name, entries: open === '{' ? entriesOf(inside) : namesOf(inside), text: inside.join('\n') });
  }
  return blocks;
}

function entriesOf(inside: readonly string[]): BruEntry[] {
  const entries: BruEntry[] = [];
  for (let at = 0; at < inside.length; at++) {
    // A key with a colon or a space stands in quotes; a disabled entry begins with a tilde.
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

function namesOf(inside: readonly string[]): BruEntry[] {
  const names = inside.flatMap((line) => line.split(',')).map((name) => name.trim().replace(/^~/, ''));
  return names.filter(Boolean).map((key) => ({ key, value: '', enabled: true }));
}
