import { Found, LeftOut, type SeenRequest, type Variable, variable } from './document.ts';

/** Reads variables or headers from a list, or from a text with a header in each line. */
export function variablesIn(list: Found): Variable[] {
  if (list.text !== '') return headerLines(list.text);
  return list.list.map((each) => {
    return variable(each.at('key').text, each.at('value').text, {
      enabled: each.at('enabled').value !== false && each.at('disabled').value !== true,
      isSecret: each.at('type').value === 'secret',
    });
  });
}

/** Parses `name: value` on each line. A disabled header begins with `//`. */
function headerLines(text: string): Variable[] {
  return text.split(/\r?\n/).flatMap((line) => {
    const [, off, key = '', value = ''] = /^\s*(\/\/)?\s*([^:\s][^:]*):(.*)$/.exec(line) ?? [];
    return key === '' ? [] : [variable(key.trim(), value.trim(), { enabled: off === undefined })];
  });
}

const MOST_ITEMS = 20_000;

/** Settings that a request inherits from its folders. */
interface Scope {
  readonly auth: Found;
  readonly variables: readonly Variable[];
}

/**
 * Every request, with the settings that it inherits. Uses a loop instead of recursion, because the nesting of a file may be too deep for
 * the stack.
 */
export function requestsIn(root: Found): { readonly requests: SeenRequest[]; readonly ignored: readonly string[] } {
  const requests: SeenRequest[] = [];
  const leftOut = new LeftOut();
  const nothing: Scope = { auth: new Found(undefined), variables: [] };
  const pending: { readonly node: Found; readonly outer: Scope }[] = [{ node: root, outer: nothing }];
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { node, outer } = next;
    if (requests.length === MOST_ITEMS) {
      leftOut.add(`requests after the first ${MOST_ITEMS.toLocaleString('en')}`, 'all');
      break;
    }
    const children = node.at('item');
    const request = node.at('request');
    const scope = scopeOf(node, outer, node === root);
    for (const { key } of scope.variables.slice(outer.variables.length))
      leftOut.add('variables that apply only in their own folder or request', key);
    const name = node.at('name').text || node.at('info').at('name').text || 'without a name';
    if (node.at('event').list.length > 0) leftOut.add('scripts, which are not run', name);
    // Reversed, because `pop` takes the last entry first.
    for (const child of children.list.toReversed()) pending.push({ node: child, outer: scope });
    if (children.isList) continue;
    if (request.fields.length > 0) requests.push(seen(request, scope, leftOut));
    else if (request.text !== '') requests.push(seen(new Found({ url: request.text }), scope, leftOut));
    else if (node.fields.length > 0 && node !== root) leftOut.add('items that are no HTTP requests', name);
  }
  return { requests, ignored: leftOut.lines };
}

/** The settings that apply inside a folder or request. Leaves out the variables of the root, because they apply to the whole file. */
function scopeOf(node: Found, outer: Scope, isRoot: boolean): Scope {
  const own = [node.at('auth'), node.at('request').at('auth')].find(({ isThere }) => isThere);
  return {
    auth: own ?? outer.auth,
    variables: [...outer.variables, ...(isRoot ? [] : variablesIn(node.at('variable')))],
  };
}

function seen(request: Found, { auth, variables }: Scope, leftOut: LeftOut): SeenRequest {
  const headers = variablesIn(request.at('header'));
  for (const { key, enabled } of headers) if (!enabled && key !== '') leftOut.add('headers that are disabled', key);
  const named = headers.filter(({ key, enabled }) => enabled && key !== '');
  const body = request.at('body');
  const kind = body.at('mode').text;
  if (!['', 'none', 'raw'].includes(kind)) leftOut.add('bodies of another kind than JSON', kind);
  return {
    method: request.at('method').text || 'GET',
    url: urlOf(request.at('url')),
    headers: [...named.map(({ key, value }) => [key, value] as const), ...authHeaders(auth, leftOut)],
    body: body.at('raw').text || undefined,
    variables,
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
  // Replaces path variables: /v1/reports/opt/:language.
  for (const { key, value } of variablesIn(url.at('variable')))
    if (value !== '') text = text.replaceAll(`/:${key}`, `/${value}`);
  return text;
}

/** The headers for a bearer token, an OAuth 2.0 token, or a key in a header. The specification uses no other kinds of authorisation. */
function authHeaders(auth: Found, leftOut: LeftOut): [name: string, value: string][] {
  const type = auth.at('type').text;
  const listed = variablesIn(auth.at(type));
  const field = (name: string) => auth.at(type).at(name).text || (listed.find(({ key }) => key === name)?.value ?? '');
  const bearer = (token: string): [string, string][] => (token === '' ? [] : [['Authorization', `bearer ${token}`]]);
  if (['', 'noauth'].includes(type)) return [];
  if (type === 'bearer') return bearer(field('token'));
  if (type === 'oauth2') {
    const names = [...auth.at(type).fields.map(([name]) => name), ...listed.map(({ key }) => key)];
    for (const name of names.filter((each) => each !== 'accessToken' && field(each) !== ''))
      leftOut.add('settings of OAuth 2.0; set TOKEN_URL and its keys instead (docs/connections.md)', name);
    if (!/^query/i.test(field('addTokenTo'))) return bearer(field('accessToken'));
  }
  const isInQuery = /^query/i.test(field('in') || field('addTokenTo'));
  if (type === 'apikey' && !isInQuery) return [[field('key'), field('value')]];
  leftOut.add(
    'authorisation of a kind that the specification does not have',
    isInQuery ? `${type} in the query` : type,
  );
  return [];
}
