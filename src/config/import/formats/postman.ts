import { ConfigurationError } from '../../configuration-error.ts';
import type { Format, Found, SeenRequest, Variable } from '../document.ts';

/** Postman's export of an environment: a list of values. */
export const postmanEnvironment: Format = {
  kind: 'a Postman environment',
  read: ({ json }) => {
    const values = json.at('values');
    return values.isList ? { name: json.at('name').text, variables: variablesIn(values), requests: [] } : undefined;
  },
};

function variablesIn(list: Found): Variable[] {
  return list.list.map((each) => ({
    key: each.at('key').text,
    value: each.at('value').text,
    enabled: each.at('enabled').value !== false && each.at('disabled').value !== true,
    isSecret: each.at('type').value === 'secret',
  }));
}

/** More than any collection has. */
const MOST_ITEMS = 20_000;

/** Postman's export of a collection, version 2.0 or 2.1: variables, and requests in folders. */
export const postmanCollection: Format = {
  kind: 'a Postman collection (v2.1)',
  read: ({ json, file }) => {
    if (!json.at('item').isList && !json.at('variable').isList) {
      if (!json.at('requests').isList || !json.at('order').isThere) return undefined;
      throw new ConfigurationError(`${file} is a Postman collection of version 1. Export it as v2.1.`);
    }
    const name = json.at('info').at('name').text;
    return { name, variables: variablesIn(json.at('variable')), requests: requestsIn(json) };
  },
};

/** Every request, with the authorisation of its folders; without recursion, because a file may be nested arbitrarily deeply. */
function requestsIn(root: Found): SeenRequest[] {
  const requests: SeenRequest[] = [];
  const pending: { readonly node: Found; readonly inherited: Found }[] = [{ node: root, inherited: root.at('auth') }];
  for (let next = pending.pop(); next && requests.length < MOST_ITEMS; next = pending.pop()) {
    const { node, inherited } = next;
    const auth = node.at('auth').isThere ? node.at('auth') : inherited;
    // Reversed, because the last one is taken first.
    for (const child of node.at('item').list.toReversed()) pending.push({ node: child, inherited: auth });
    const request = node.at('request');
    if (request.fields.length > 0) requests.push(seen(request, auth));
    else if (request.text !== '') requests.push({ method: 'GET', url: request.text, headers: authHeaders(auth) });
  }
  return requests;
}

function seen(request: Found, inherited: Found): SeenRequest {
  const named = variablesIn(request.at('header')).filter(({ key, enabled }) => enabled && key !== '');
  const own = request.at('auth');
  return {
    method: request.at('method').text || 'GET',
    url: urlOf(request.at('url')),
    headers: [...named.map(({ key, value }) => [key, value] as const), ...authHeaders(own.isThere ? own : inherited)],
    body: request.at('body').at('raw').text || undefined,
  };
}

function urlOf(url: Found): string {
  const parts = (name: string) => url.at(name).list.map((each) => each.at('value').text || each.text);
  let text = url.text || url.at('raw').text;
  if (text === '') {
    const host = url.at('host').isList ? parts('host').join('.') : url.at('host').text;
    const [scheme, port] = [url.at('protocol').text, url.at('port').text];
    text = `${scheme ? `${scheme}://` : ''}${host}${port ? `:${port}` : ''}/${parts('path').join('/')}`;
  }
  // Path variables: /v1/reports/opt/:language
  for (const { key, value } of variablesIn(url.at('variable')))
    if (value !== '') text = text.replaceAll(`/:${key}`, `/${value}`);
  return text;
}

/** A bearer token, or a key in a header; other kinds aren't sent by this service's clients. */
function authHeaders(auth: Found): [name: string, value: string][] {
  const type = auth.at('type').text;
  const field = (name: string) =>
    auth.at(type).at(name).text || (variablesIn(auth.at(type)).find(({ key }) => key === name)?.value ?? '');
  if (type === 'bearer') return [['Authorization', `bearer ${field('token')}`]];
  return type === 'apikey' && field('in') !== 'query' ? [[field('key'), field('value')]] : [];
}
