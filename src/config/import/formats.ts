import { parseArgs } from 'node:util';
import { operationIds } from '../../spec/index.ts';
import { ConfigurationError } from '../configuration-error.ts';
import { shellWords } from '../shell-words.ts';
import { counted } from '../words.ts';
import { type Format, type Found, type SeenRequest, type Variable, variable } from './document.ts';
import { matchedOperation } from './request-variables.ts';

export const postmanEnvironment: Format = {
  kind: 'a Postman environment',
  read: ({ tree }) => {
    const values = tree.at('values');
    return values.isList ? { name: tree.at('name').text, variables: variablesIn(values), requests: [] } : undefined;
  },
};

/** Postman's export of a collection, version 2.0 or 2.1: variables, and requests in folders. */
export const postmanCollection: Format = {
  kind: 'a Postman collection (v2.1)',
  read: ({ tree }) => {
    if (!tree.at('item').isList && !tree.at('variable').isList) return undefined;
    const name = tree.at('info').at('name').text;
    return { name, variables: variablesIn(tree.at('variable')), requests: requestsIn(tree) };
  },
};

export const brunoExport: Format = {
  kind: 'a Bruno collection (JSON)',
  read: ({ tree }) => {
    const environments = tree.at('environments');
    if (!tree.at('items').isList || !(environments.isList || tree.at('brunoConfig').isThere)) return undefined;
    const [first, ...others] = environments.list;
    return {
      name: first?.at('name').text || tree.at('name').text,
      variables: first ? variablesIn(first.at('variables')) : [],
      requests: requestsIn(tree),
      ignored: others.map((each) => `the environment ${each.at('name').text}: the first one was taken`),
    };
  },
};

/** Variables, headers and the like; the two tools name their fields differently. */
function variablesIn(list: Found): Variable[] {
  return list.list.map((each) =>
    variable(each.at('key', 'name').text, each.at('value').text, {
      enabled: each.at('enabled').value !== false && each.at('disabled').value !== true,
      isSecret: each.at('type').value === 'secret' || each.at('secret').value === true,
    }),
  );
}

const MOST_ITEMS = 20_000;

/** Every request, with the authorisation of its folders; without recursion, because a file may be nested arbitrarily deeply. */
export function requestsIn(root: Found): SeenRequest[] {
  const requests: SeenRequest[] = [];
  const pending: { readonly node: Found; readonly inherited: Found }[] = [{ node: root, inherited: root.at('auth') }];
  for (let next = pending.pop(); next && requests.length < MOST_ITEMS; next = pending.pop()) {
    const { node, inherited } = next;
    const auth = node.at('auth').isThere ? node.at('auth') : inherited;
    // Reversed, because the last one is taken first.
    for (const child of node.at('item', 'items').list.toReversed()) pending.push({ node: child, inherited: auth });
    const request = node.at('request');
    if (request.fields.length > 0) requests.push(seen(request, auth));
    else if (request.text !== '') requests.push({ method: 'GET', url: request.text, headers: authHeaders(auth) });
  }
  return requests;
}

function seen(request: Found, inherited: Found): SeenRequest {
  const named = variablesIn(request.at('header', 'headers')).filter(({ key, enabled }) => enabled && key !== '');
  const own = request.at('auth');
  return {
    method: request.at('method').text || 'GET',
    url: urlOf(request.at('url'), request.at('params')),
    headers: [...named.map(({ key, value }) => [key, value] as const), ...authHeaders(own.isThere ? own : inherited)],
    body: request.at('body').at('raw', 'json').text || undefined,
  };
}

function urlOf(url: Found, parameters: Found): string {
  const parts = (name: string) => url.at(name).list.map((each) => each.at('value').text || each.text);
  let text = url.text || url.at('raw').text;
  if (text === '') {
    const host = url.at('host').isList ? parts('host').join('.') : url.at('host').text;
    const [scheme, port] = [url.at('protocol').text, url.at('port').text];
    text = `${scheme ? `${scheme}://` : ''}${host}${port ? `:${port}` : ''}/${parts('path').join('/')}`;
  }
  // Path variables: /v1/reports/opt/:language
  for (const { key, value } of [...variablesIn(url.at('variable')), ...variablesIn(parameters)])
    if (value !== '') text = text.replaceAll(`/:${key}`, `/${value}`);
  return text;
}

/** A bearer token, or a key in a header; other kinds aren't sent by this service's clients. */
function authHeaders(auth: Found): [name: string, value: string][] {
  const type = auth.at('type', 'mode').text;
  const field = (name: string) =>
    auth.at(type).at(name).text || (variablesIn(auth.at(type)).find(({ key }) => key === name)?.value ?? '');
  if (type === 'bearer') return field('token') ? [['Authorization', `bearer ${field('token')}`]] : [];
  const isInQuery = field('in') === 'query' || field('placement') === 'queryparams';
  return type === 'apikey' && !isInQuery ? [[field('key'), field('value')]] : [];
}

const METHODS = ['get', 'post', 'put', 'delete'] as const;

/** An OpenAPI 3 document: the servers of the operations that it has. */
export const openapi: Format = {
  kind: 'an OpenAPI 3 document (JSON or YAML)',
  read: ({ tree }) => {
    if (!tree.at('openapi').isThere) return undefined;
    const requests: SeenRequest[] = [];
    const others = new Set<string>();
    let relative = 0;
    for (const [path, item] of tree.at('paths').fields) {
      for (const method of METHODS) {
        const entry = item.at(method);
        if (!entry.isThere) continue;
        const servers = [entry, item, tree].map(serversOf).find(({ length }) => length > 0);
        const [first, ...more] = servers ?? [];
        if (first === undefined || !/^https?:\/\//i.test(first)) relative++;
        else requests.push({ method, url: `${first.replace(/(?<!\/)\/+$/, '')}${path}`, headers: [] });
        for (const other of more) others.add(other);
      }
    }
    const ours = requests.filter(({ method, url }) => matchedOperation(method, url));
    const besides = ours.length > 0 ? requests.length - ours.length : 0;
    return {
      name: tree.at('info').at('title').text,
      variables: [],
      requests: ours.length > 0 ? ours : requests,
      ignored: [
        ...(relative > 0
          ? [`${counted(relative, 'operation')} without an absolute server: the document has no host for them`]
          : []),
        ...[...others].map((url) => `the server ${withoutQuery(url)}: the first one of its list was taken`),
        ...(besides > 0
          ? [`${counted(besides, 'operation')} besides the ${operationIds.length} of the specification`]
          : []),
      ],
    };
  },
};

function serversOf(owner: Found): string[] {
  const addresses = owner
    .at('servers')
    .list.map((server) =>
      server
        .at('url')
        .text.replace(
          /\{([^{}]+)\}/g,
          (whole, name: string) => server.at('variables').at(name).at('default').text || whole,
        ),
    );
  return addresses.filter((address) => address !== '');
}

function withoutQuery(url: string): string {
  return url.replace(/[?#].*$/s, '').replace(/\/\/[^/]*@/, '//');
}

/** A command as browsers copy it, for a POSIX shell. */
export const curl: Format = {
  kind: 'a curl command',
  read: ({ text, file }) => {
    if (!isCurl(text)) return undefined;
    if (/\^(\r?\n|")/.test(text))
      throw new ConfigurationError(`${file} is a curl command for cmd.exe. Copy it as cURL (bash).`);
    const request = curlRequest(shellWords(text.replace(/^\s*\$\s+/, '').trim()).slice(1));
    return request ? { variables: [], requests: [request] } : undefined;
  },
};

export function isCurl(text: string): boolean {
  return /^\s*(\$\s+)?curl(\.exe)?\s/.test(text);
}

/** Options with a value, as curl's own list has them, each with its letter; those of data are its body. */
const DATA = 'data:d data-ascii data-raw data-binary data-urlencode json';
const VALUED = `${DATA} request:X header:H url oauth2-bearer user:u cookie:b user-agent:A referer:e output:o proxy:x max-time:m
  cookie-jar:c write-out:w form:F upload-file:T cacert cert:E key connect-timeout resolve retry range:r ciphers`;

const options = Object.fromEntries(
  VALUED.split(/\s+/).map((option) => {
    const [name = '', short] = option.split(':');
    return [name, { type: 'string', multiple: true, ...(short ? { short } : {}) } as const];
  }),
);

function curlRequest(args: string[]): SeenRequest | undefined {
  const { values, positionals } = parseArgs({ args, options, strict: false, allowPositionals: true });
  const given = (name: string) => [values[name] ?? []].flat().map(String);
  const [url] = [...given('url'), ...positionals];
  if (!url) return undefined;
  const isGet = 'G' in values || 'get' in values;
  const data = isGet ? [] : DATA.split(' ').flatMap((option) => given(option.split(':')[0] ?? ''));
  const usual = 'I' in values || 'head' in values ? 'HEAD' : data.length > 0 ? 'POST' : 'GET';
  return {
    method: given('request').at(-1) ?? usual,
    url: /^[a-z]+:\/\//i.test(url) ? url : `http://${url}`,
    headers: [
      ...given('header').map(headerOf),
      ...given('oauth2-bearer').map((token) => ['Authorization', `bearer ${token}`] as const),
    ],
    body: data.join('&') || undefined,
  };
}

/** `name: value`; `name;` is one without a value. */
function headerOf(text: string): readonly [name: string, value: string] {
  const at = text.indexOf(':');
  return at < 0 ? [text.replace(/;$/, '').trim(), ''] : [text.slice(0, at).trim(), text.slice(at + 1).trim()];
}
