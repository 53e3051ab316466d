import { type Format, listOf, recordOf, type SeenRequest, textOf, type Variable, variable } from '../document.ts';

/** A file of a Bruno collection: an environment, or a request. */
export const bru: Format = {
  kind: 'a Bruno file (.bru), or the folder of a Bruno collection',
  read: ({ text }) => {
    const blocks = bruBlocks(text);
    const [variables, request, secrets] = [bruVariables(blocks), bruRequest(blocks), secretNames(blocks)];
    if (variables.length === 0 && !request && secrets.length === 0) return undefined;
    return { variables, requests: request ? [request] : [], ignored: secretsElsewhere(secrets) };
  },
};

/** Bruno's export of a collection as one JSON file. */
export const brunoExport: Format = {
  kind: 'a Bruno collection (JSON)',
  read: ({ json }) => {
    const root = recordOf(json) ?? {};
    if (!Array.isArray(root['items']) || (!Array.isArray(root['environments']) && root['brunoConfig'] === undefined))
      return undefined;
    const environments = listOf(root['environments']).map((each) => recordOf(each) ?? {});
    const [first, ...others] = environments;
    const name = textOf(first?.['name']) || textOf(root['name']);
    return {
      ...(name ? { name } : {}),
      variables: listOf(first?.['variables']).map((each) => {
        const { name: key, value, enabled, secret } = recordOf(each) ?? {};
        return variable(textOf(key), textOf(value), { enabled: enabled !== false, isSecret: secret === true });
      }),
      requests: exportedRequests(root),
      ignored: others.map((each) => `the environment ${textOf(each['name'])}: the first one was taken`),
    };
  },
};

function exportedRequests(root: Readonly<Record<string, unknown>>): SeenRequest[] {
  const requests: SeenRequest[] = [];
  const pending: unknown[] = [root];
  for (let node = recordOf(pending.pop()); node; node = recordOf(pending.pop())) {
    pending.push(...listOf(node['items']).filter(recordOf).toReversed());
    const request = recordOf(node['request']);
    if (!request) continue;
    const headers = listOf(request['headers']).flatMap((each): [string, string][] => {
      const { name, value, enabled } = recordOf(each) ?? {};
      return enabled === false ? [] : [[textOf(name), textOf(value)]];
    });
    const token = textOf(recordOf(recordOf(request['auth'])?.['bearer'])?.['token']);
    const body = textOf(recordOf(request['body'])?.['json']);
    requests.push({
      method: textOf(request['method']) || 'GET',
      url: textOf(request['url']),
      headers: [...headers, ...(token ? [['Authorization', `bearer ${token}`] as const] : [])],
      ...(body ? { body } : {}),
    });
  }
  return requests;
}

/** The variables of an environment, of a collection or of a request. */
export function bruVariables(blocks: readonly BruBlock[]): Variable[] {
  const isSecret = new Set(secretNames(blocks));
  return blocks
    .filter(({ name }) => name === 'vars' || name === 'vars:pre-request')
    .flatMap(({ entries }) =>
      entries.map(({ key, value, enabled }) => variable(key, value, { enabled, isSecret: isSecret.has(key) })),
    );
}

function secretNames(blocks: readonly BruBlock[]): string[] {
  return blocks.filter(({ name }) => name === 'vars:secret').flatMap(({ names }) => names);
}

/** Bruno keeps the values of secrets in its own store, so they are never in a file. */
export function secretsElsewhere(names: readonly string[]): string[] {
  return names.map((name) => `${name} is a secret, whose value Bruno does not write into its files`);
}

const METHODS = ['get', 'post', 'put', 'delete'];

/** The request of a file; `inherited` are the blocks of its collection and folders, the outermost first. */
export function bruRequest(blocks: readonly BruBlock[], inherited: readonly BruBlock[] = []): SeenRequest | undefined {
  const verb = blocks.find(({ name }) => METHODS.includes(name));
  if (!verb) return undefined;
  const entry = (block: BruBlock | undefined, key: string) =>
    block?.entries.find((each) => each.key === key)?.value ?? '';
  const all = [...blocks, ...inherited.toReversed()];
  const headers = all
    .filter(({ name }) => name === 'headers')
    .flatMap(({ entries }) => entries.flatMap(({ key, value, enabled }) => (enabled ? [[key, value] as const] : [])));
  const token = entry(
    all.find(({ name }) => name === 'auth:bearer'),
    'token',
  );
  const key = all.find(({ name }) => name === 'auth:apikey');
  const body = blocks.find(({ name }) => name === 'body:json')?.text;
  return {
    method: verb.name.toUpperCase(),
    url: withPathParameters(entry(verb, 'url'), blocks),
    headers: [
      ...headers,
      ...(token ? [['Authorization', `bearer ${token}`] as const] : []),
      ...(key && entry(key, 'placement') !== 'queryparams' ? [[entry(key, 'key'), entry(key, 'value')] as const] : []),
    ],
    ...(body ? { body } : {}),
  };
}

function withPathParameters(url: string, blocks: readonly BruBlock[]): string {
  const parameters = blocks.filter(({ name }) => name === 'params:path').flatMap(({ entries }) => entries);
  return parameters.reduce((text, { key, value }) => (value ? text.replaceAll(`/:${key}`, `/${value}`) : text), url);
}

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
