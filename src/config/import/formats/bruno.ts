import { bearer, type Format, type Found, type SeenRequest, type Variable, variable } from '../document.ts';

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
    const environments = json.at('environments');
    if (!json.at('items').isList || !(environments.isList || json.at('brunoConfig').isThere)) return undefined;
    const [first, ...others] = environments.list;
    return {
      name: first?.at('name').text || json.at('name').text,
      variables: (first?.at('variables').list ?? []).map((each) =>
        variable(each.at('name').text, each.at('value').text, {
          enabled: each.at('enabled').value !== false,
          isSecret: each.at('secret').value === true,
        }),
      ),
      requests: exportedRequests(json),
      ignored: others.map((each) => `the environment ${each.at('name').text}: the first one was taken`),
    };
  },
};

function exportedRequests(root: Found): SeenRequest[] {
  const requests: SeenRequest[] = [];
  const pending = [root];
  for (let node = pending.pop(); node; node = pending.pop()) {
    pending.push(...node.at('items').list.toReversed());
    const request = node.at('request');
    if (request.fields.length === 0) continue;
    const named = request.at('headers').list.filter((each) => each.at('enabled').value !== false);
    requests.push({
      method: request.at('method').text || 'GET',
      url: request.at('url').text,
      headers: [
        ...named.map((each) => [each.at('name').text, each.at('value').text] as const),
        ...bearer(request.at('auth').at('bearer').at('token').text),
      ],
      body: request.at('body').at('json').text || undefined,
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
  return {
    method: verb.name.toUpperCase(),
    url: withPathParameters(entry(verb, 'url'), blocks),
    headers: [
      ...headers,
      ...bearer(token),
      ...(key && entry(key, 'placement') !== 'queryparams' ? [[entry(key, 'key'), entry(key, 'value')] as const] : []),
    ],
    body: blocks.find(({ name }) => name === 'body:json')?.text || undefined,
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
