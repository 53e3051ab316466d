import { type Contents, type Format, Found } from './document.ts';
import { requestsIn, variablesIn } from './requests.ts';

/** A collection or an environment as Bruno exports it, or a YAML file of a collection. */
export const brunoExport: Format = {
  kind: 'a Bruno collection or environment (JSON or YAML)',
  read: ({ tree }) => {
    const environments = [tree.at('environments'), tree.at('config').at('environments')].find(({ isList }) => isList);
    const isCollection = tree.at('items').isList && (environments !== undefined || tree.at('brunoConfig').isThere);
    if (isCollection || environments || tree.at('opencollection').isThere)
      return brunoCollection(tree, environments?.list);
    // A file of one environment, or of one request.
    if (tree.at('variables').isList) return brunoCollection(new Found({ items: [] }), [tree]);
    return tree.at('http').at('url').text === '' ? undefined : brunoCollection(new Found({ items: [tree.value] }));
  },
};

/** A collection with one environment, whose variables count before those of the collection. */
export function brunoCollection(tree: Found, [environment, ...others]: readonly Found[] = []): Contents {
  const settings = [tree.at('root').at('request'), tree.at('request')];
  const own = settings.flatMap((each) => [each.at('vars').at('req'), each.at('variables')]).flatMap(variablesIn);
  const withSecrets = variablesIn(environment?.at('variables') ?? new Found(undefined));
  const secrets = withSecrets.filter(({ isSecret, value }) => isSecret && value === '').map(({ key }) => key);
  const { requests, ignored } = requestsIn(tree.at('items').isList ? tree : new Found({ ...tree.record, items: [] }));
  return {
    name: environment?.at('name').text || tree.at('name').text || tree.at('info').at('name').text,
    variables: [...own, ...withSecrets.filter(({ key }) => !secrets.includes(key))],
    requests,
    ignored: [
      // Bruno keeps the values of secrets in its own store, so they are never in a file.
      ...secrets.map((name) => `${name} is a secret, whose value Bruno does not write into its files`),
      ...others.map((each) => `the environment ${each.at('name').text}: the first one was taken`),
      ...ignored,
    ],
  };
}

export const bru: Format = {
  kind: 'a Bruno file (.bru), or the folder of a Bruno collection',
  read: ({ text }) => {
    const blocks = bruBlocks(text);
    if (blocks.length === 0) return undefined;
    const item = bruItem(blocks);
    const tree = item.request ? { items: [item] } : { items: [], root: bruFolder(blocks) };
    const contents = brunoCollection(new Found(tree), [new Found(bruEnvironment('', blocks))]);
    const { variables, requests, ignored = [] } = contents;
    return variables.length + requests.length + ignored.length > 0 ? contents : undefined;
  },
};

const METHODS = ['get', 'post', 'put', 'delete', 'patch', 'head', 'options', 'http'];

/** A file of a request, as Bruno's export to JSON has it. */
export function bruItem(blocks: readonly BruBlock[], name = '') {
  const verb = blocks.find((block) => METHODS.includes(block.name));
  const of = (key: string) => verb?.entries.find((entry) => entry.key === key)?.value ?? '';
  const settings = bruFolder(blocks).request;
  const auth = settings.auth ?? { mode: of('auth') || 'inherit' };
  const body = blocks.find((block) => /^body(:|$)/.test(block.name));
  const kind = body?.name.slice('body:'.length) || 'json';
  return {
    name,
    ...(verb && {
      request: {
        ...settings,
        method: (verb.name === 'http' ? of('method') : verb.name).toUpperCase(),
        url: of('url'),
        params: entriesIn(blocks, 'params:path'),
        auth,
        body: body && { mode: kind, json: kind === 'json' ? body.text : '' },
      },
    }),
  };
}

/** The settings that a file of a folder or of a collection gives to its requests. */
export function bruFolder(blocks: readonly BruBlock[]) {
  const block = blocks.find(({ name }) => name.startsWith('auth:') && !name.startsWith('auth:oauth2:'));
  const mode = block?.name.slice('auth:'.length) ?? '';
  return {
    request: {
      headers: entriesIn(blocks, 'headers'),
      vars: { req: entriesIn(blocks, 'vars:pre-request') },
      script: blocks.find(({ name }) => /^(script:|tests$)/.test(name))?.text ?? '',
      auth: block && { mode, [mode]: block.entries },
    },
  };
}

export function bruEnvironment(name: string, blocks: readonly BruBlock[]) {
  const secrets = entriesIn(blocks, 'vars:secret').map((entry) => ({ ...entry, secret: true }));
  const isSecret = (key: string) => secrets.some((secret) => secret.key === key);
  const variables = entriesIn(blocks, 'vars').map((entry) => ({ ...entry, secret: isSecret(entry.key) }));
  return { name, variables: [...variables, ...secrets] };
}

function entriesIn(blocks: readonly BruBlock[], wanted: string): readonly BruEntry[] {
  return blocks.flatMap(({ name, entries }) => (name === wanted ? entries : []));
}

export type BruBlock = ReturnType<typeof bruBlocks>[number];

/** Blocks of a text, whose lines are no entries. */
const OF_TEXT = /^(body(?!:(form-urlencoded|multipart-form|file)$)|script:|tests$|docs$|example$)/;

/**
 * The blocks of a `.bru` file, `name { … }` with entries or a text, or `name [ … ]` with names alone; empty if it is none. What can't be
 * understood is passed over, as Bruno's versions add to the markup.
 */
export function bruBlocks(text: string) {
  const blocks: { readonly name: string; readonly entries: readonly BruEntry[]; readonly text: string }[] = [];
  const all = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  for (let at = 0; at < all.length; at++) {
    const [, name, open, rest = ''] = /^([a-z][\w:-]*)\s*([{[])(.*)$/i.exec(all[at] ?? '') ?? [];
    if (!name) continue;
    const close = open === '{' ? '}' : ']';
    const inside: string[] = [];
    // `vars:secret [ a, b ]` and `vars { }` may stand in one line.
    if (rest.trim().endsWith(close)) inside.push(rest.trim().slice(0, -1));
    else {
      const end = endOf(all, at, close, !OF_TEXT.test(name)) ?? endOf(all, at, close, false) ?? all.length;
      inside.push(...all.slice(at + 1, end));
      at = end;
    }
    blocks.push({ name, entries: open === '{' ? entriesOf(inside) : namesOf(inside), text: inside.join('\n') });
  }
  return blocks;
}

/** The line that ends a block; within a text of several lines, which stands in `'''`, a brace ends none. */
function endOf(all: readonly string[], start: number, close: string, knowsTexts: boolean): number | undefined {
  for (let at = start + 1, isInText = false; at < all.length; at++) {
    const line = all[at] ?? '';
    if (line === close && !(isInText && knowsTexts)) return at;
    if (line.split("'''").length % 2 === 0) isInText = !isInText;
  }
  return undefined;
}

/** `@description('''…''')` before an entry: its text is no entry. The length is limited, so that reading takes linear time. */
const ANNOTATION =
  /^[^\S\n]*@[^\s():]+(?:\((?:'''(?:.|\n){0,9000}?'''|"(?:\\.|[^"\\]){0,9000}"|'[^']{0,9000}'|[^)]{0,9000})\))?[^\S\n]*$/gm;

type BruEntry = ReturnType<typeof entriesOf>[number];

function entriesOf(lines: readonly string[]) {
  const entries: { readonly key: string; readonly value: string; readonly enabled: boolean }[] = [];
  const inside = lines.join('\n').replace(ANNOTATION, '').split('\n');
  for (let at = 0; at < inside.length; at++) {
    // A key with a colon or a space stands in quotes; a disabled entry begins with a tilde.
    const [, off, quoted, plain, start = ''] =
      /^\s*(~?)(?:"((?:[^"\\]|\\.)*)"\s*|([^:\s][^:]*)):(?:\s(.*))?$/.exec(inside[at] ?? '') ?? [];
    const key = quoted?.replaceAll('\\"', '"') ?? plain;
    if (key === undefined) continue;
    let value = start.trim();
    if (value.startsWith("'''")) {
      const text = [value.slice(3)];
      while (!text.at(-1)?.includes("'''") && ++at < inside.length) text.push(inside[at]?.trim() ?? '');
      value = text
        .join('\n')
        .replace(/'''.*$/s, '')
        .trim();
    }
    entries.push({ key: key.trim(), value, enabled: off !== '~' });
  }
  return entries;
}

function namesOf(lines: readonly string[]): BruEntry[] {
  const inside = lines.join('\n').replace(ANNOTATION, '').split(/[\n,]/);
  const names = inside.map((name) => name.trim().replace(/^~/, ''));
  return names.filter(Boolean).map((key) => ({ key, value: '', enabled: true }));
}
