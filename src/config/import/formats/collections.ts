import { type Format, type Found, type SeenRequest, type Variable, variable } from '../document.ts';

/** Postman's export of an environment: a list of values. */
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

/** Bruno's export of a collection as one JSON file, with environments. */
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

/** More than any collection has. */
const MOST_ITEMS = 20_000;

/** Every request, with the authorisation of its folders; without recursion, because a file may be nested arbitrarily deeply. */
function requestsIn(root: Found): SeenRequest[] {
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
