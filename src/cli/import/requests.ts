import { Found, LeftOut, type SeenRequest, type Variable, variable } from './document.ts';

/** Variables, headers and the like; Postman and Bruno name their fields differently. A text has a header on each line. */
export function variablesIn(list: Found): Variable[] {
  if (list.text !== '') return headerLines(list.text);
  return list.list.map((each) => {
    const value = each.at('value');
    return variable(each.at('key', 'name').text, value.text || value.at('data').text, {
      enabled: each.at('enabled').value !== false && each.at('disabled').value !== true,
      isSecret: each.at('type').value === 'secret' || [each.at('secret'), each.at('transient')].some(isTrue),
    });
  });
}

const isTrue = ({ value }: Found) => value === true;

/** `name: value` on each line. A disabled header begins with `//`. */
function headerLines(text: string): Variable[] {
  return text.split(/\r?\n/).flatMap((line) => {
    const [, off, key = '', value = ''] = /^\s*(\/\/)?\s*([^:\s][^:]*):(.*)$/.exec(line) ?? [];
    return key === '' ? [] : [variable(key.trim(), value.trim(), { enabled: off === undefined })];
  });
}

const MOST_ITEMS = 20_000;

/** Settings that folders give to the requests in them. */
interface Scope {
  readonly auth: Found;
  readonly headers: readonly Variable[];
  readonly variables: readonly Variable[];
}

/** Every request with what its folders give it; without recursion, because a file may be nested arbitrarily deeply. */
export function requestsIn(root: Found): { readonly requests: SeenRequest[]; readonly ignored: readonly string[] } {
  const requests: SeenRequest[] = [];
  const leftOut = new LeftOut();
  const nothing: Scope = { auth: new Found(undefined), headers: [], variables: [] };
  const pending: { readonly node: Found; readonly outer: Scope }[] = [{ node: root, outer: nothing }];
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { node, outer } = next;
    if (requests.length === MOST_ITEMS) {
      leftOut.add(`requests after the first ${MOST_ITEMS.toLocaleString('en')}`, 'all');
      break;
    }
    const children = node.at('item', 'items');
    const settings = children.isList ? settingsOf(node) : node.at('request', 'http');
    const scope = scopeOf(node, settings, outer, node === root);
    for (const { key } of scope.variables.slice(outer.variables.length))
      leftOut.add('variables that count in their own folder or request alone', key);
    const name = node.at('name').text || node.at('info').at('name').text || 'without a name';
    if (hasScript(node, settings)) leftOut.add('scripts, which are not run', name);
    // Reversed, because the last one is taken first.
    for (const child of children.list.toReversed()) pending.push({ node: child, outer: scope });
    if (children.isList) continue;
    if (settings.fields.length > 0) requests.push(seen(settings, scope, leftOut));
    else if (settings.text !== '') requests.push(seen(new Found({ url: settings.text }), scope, leftOut));
    else if (node.fields.length > 0 && node !== root) leftOut.add('items that are no HTTP requests', name);
  }
  return { requests, ignored: leftOut.lines };
}

/** The settings of a folder in a Bruno collection. */
function settingsOf(node: Found): Found {
  const own = node.at('root').at('request');
  return own.isThere ? own : node.at('request');
}

/** A root's variables are those of the whole file. */
function scopeOf(node: Found, settings: Found, outer: Scope, isRoot: boolean): Scope {
  const own = [node.at('auth'), settings.at('auth')].find(({ isThere }) => isThere) ?? new Found('inherit');
  const lists = [
    settings.at('variables'),
    settings.at('vars').at('req'),
    node.at('runtime').at('variables'),
    node.at('variable'),
  ];
  return {
    auth: kindOf(own) === 'inherit' ? outer.auth : own,
    headers: [...variablesIn(settings.at('header', 'headers')), ...outer.headers],
    variables: [...outer.variables, ...(isRoot ? [] : lists.flatMap(variablesIn))],
  };
}

const kindOf = (auth: Found) => auth.at('type', 'mode').text || auth.text;

function hasScript(node: Found, settings: Found): boolean {
  const holders = [node, node.at('runtime'), settings];
  const scripts = holders.flatMap((holder) => ['event', 'script', 'scripts', 'tests'].map((name) => holder.at(name)));
  return scripts.some(
    (script) => script.list.length > 0 || script.text !== '' || script.fields.some(([, { text }]) => text !== ''),
  );
}

function seen(request: Found, { auth, headers, variables }: Scope, leftOut: LeftOut): SeenRequest {
  for (const { key, enabled } of headers) if (!enabled && key !== '') leftOut.add('headers that are disabled', key);
  const named = headers.filter(({ key, enabled }) => enabled && key !== '');
  const body = request.at('body');
  const kind = kindOf(body);
  if (!['', 'none', 'raw', 'json', 'text'].includes(kind)) leftOut.add('bodies of another kind than JSON', kind);
  return {
    method: request.at('method').text || 'GET',
    url: urlOf(request.at('url'), request.at('params')),
    headers: [...named.map(({ key, value }) => [key, value] as const), ...authHeaders(auth, leftOut)],
    body: body.at('raw', 'json', 'data').text || undefined,
    variables,
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

/** A bearer token, one that OAuth 2.0 gave, or a key in a header: what this service's clients send. */
function authHeaders(auth: Found, leftOut: LeftOut): [name: string, value: string][] {
  const type = kindOf(auth);
  const listed = variablesIn(auth.at(type));
  const field = (name: string) =>
    auth.at(type).at(name).text || auth.at(name).text || (listed.find(({ key }) => key === name)?.value ?? '');
  const bearer = (token: string): [string, string][] => (token === '' ? [] : [['Authorization', `bearer ${token}`]]);
  if (['', 'none', 'noauth', 'inherit'].includes(type)) return [];
  if (type === 'bearer') return bearer(field('token'));
  if (type === 'oauth2') {
    const names = [...auth.at(type).fields.map(([name]) => name), ...listed.map(({ key }) => key)];
    for (const name of names.filter((each) => each !== 'accessToken' && field(each) !== ''))
      leftOut.add('settings of OAuth 2.0; TOKEN_URL and the keys beside it issue tokens (docs/connections.md)', name);
    if (!/^query/i.test(field('addTokenTo'))) return bearer(field('accessToken'));
  }
  const isInQuery = /^query/i.test(field('in') || field('placement') || field('addTokenTo'));
  if (type === 'apikey' && !isInQuery) return [[field('key'), field('value')]];
  leftOut.add(
    'authorisation of a kind that the specification does not have',
    isInQuery ? `${type} in the query` : type,
  );
  return [];
}
