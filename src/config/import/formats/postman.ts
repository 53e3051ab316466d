import { ConfigurationError } from '../../configuration-error.ts';
import { type Format, listOf, recordOf, type SeenRequest, textOf, type Variable } from '../document.ts';

/** Postman's export of an environment: a list of values. */
export const postmanEnvironment: Format = {
  kind: 'a Postman environment',
  read: ({ json }) => {
    const { name, values } = recordOf(json) ?? {};
    if (!Array.isArray(values)) return undefined;
    return { ...(typeof name === 'string' ? { name } : {}), variables: postmanVariables(values), requests: [] };
  },
};

export function postmanVariables(list: unknown): Variable[] {
  return listOf(list).map((each) => {
    const { key, value, enabled, disabled, type } = recordOf(each) ?? {};
    return {
      key: textOf(key),
      value: textOf(value),
      enabled: enabled !== false && disabled !== true,
      isSecret: type === 'secret',
    };
  });
}

/** More than any collection has. */
const MOST_ITEMS = 20_000;

/** Postman's export of a collection, version 2.0 or 2.1: variables, and requests in folders. */
export const postmanCollection: Format = {
  kind: 'a Postman collection (v2.1)',
  read: ({ json, file }) => {
    const root = recordOf(json) ?? {};
    const { name } = recordOf(root['info']) ?? {};
    if (!Array.isArray(root['item']) && !Array.isArray(root['variable'])) {
      if (!Array.isArray(root['requests']) || !('order' in root)) return undefined;
      throw new ConfigurationError(`${file} is a Postman collection of version 1. Export it as v2.1.`);
    }
    return {
      ...(typeof name === 'string' ? { name } : {}),
      variables: postmanVariables(root['variable']),
      requests: requestsIn(root),
    };
  },
};

/** Every request, with the authorisation of its folders; without recursion, because a file may be nested arbitrarily deeply. */
function requestsIn(root: Readonly<Record<string, unknown>>): SeenRequest[] {
  const requests: SeenRequest[] = [];
  const pending: { readonly node: unknown; readonly auth: unknown }[] = [{ node: root, auth: undefined }];
  for (let at = pending.pop(); at && requests.length < MOST_ITEMS; at = pending.pop()) {
    const node = recordOf(at.node);
    if (!node) continue;
    const auth = node['auth'] ?? at.auth;
    // Reversed, because the last one is taken first.
    for (const child of listOf(node['item']).toReversed()) pending.push({ node: child, auth });
    const request = typeof node['request'] === 'string' ? { url: node['request'] } : recordOf(node['request']);
    if (request) requests.push(seen(request, auth));
  }
  return requests;
}

function seen(request: Readonly<Record<string, unknown>>, inherited: unknown): SeenRequest {
  const body = textOf(recordOf(request['body'])?.['raw']);
  return {
    method: textOf(request['method']) || 'GET',
    url: urlOf(request['url']),
    headers: [...headersOf(request['header']), ...authHeaders(request['auth'] ?? inherited)],
    ...(body ? { body } : {}),
  };
}

function urlOf(url: unknown): string {
  if (typeof url === 'string') return url;
  const parts = recordOf(url) ?? {};
  let text = textOf(parts['raw']);
  if (text === '') {
    const host = Array.isArray(parts['host']) ? parts['host'].map(textOf).join('.') : textOf(parts['host']);
    const scheme = textOf(parts['protocol']);
    const port = textOf(parts['port']);
    const path = listOf(parts['path']).map((each) => textOf(recordOf(each)?.['value'] ?? each));
    text = `${scheme ? `${scheme}://` : ''}${host}${port ? `:${port}` : ''}/${path.join('/')}`;
  }
  // Path variables: /v1/reports/opt/:language
  for (const { key, value } of postmanVariables(parts['variable']))
    if (value !== '') text = text.replaceAll(`/:${key}`, `/${value}`);
  return text;
}

function* headersOf(list: unknown): Generator<readonly [string, string]> {
  for (const { key, value, enabled } of postmanVariables(list)) if (enabled && key !== '') yield [key, value];
}

/** A bearer token, or a key in a header; other kinds aren't sent by this service's clients. */
function* authHeaders(auth: unknown): Generator<readonly [string, string]> {
  const { type, bearer, apikey } = recordOf(auth) ?? {};
  const field = (list: unknown, name: string) => {
    const asRecord = recordOf(list);
    return asRecord ? textOf(asRecord[name]) : (postmanVariables(list).find(({ key }) => key === name)?.value ?? '');
  };
  if (type === 'bearer') yield ['Authorization', `bearer ${field(bearer, 'token')}`];
  if (type === 'apikey' && field(apikey, 'in') !== 'query') yield [field(apikey, 'key'), field(apikey, 'value')];
}
