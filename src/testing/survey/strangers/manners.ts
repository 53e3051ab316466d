import { randomUUID } from 'node:crypto';
import { parsedJson } from '../../../http/index.ts';
import { flagOf, type Handled, type House, house, type Row } from './house.ts';
import { usualSchemas } from './schema.ts';
import { anyBody, type Body, type Incoming, type Outgoing, Stopped, type StrangerHandler } from './serve.ts';
import { APP_HEADERS, Held, plain, type Stock } from './stock.ts';

// A service with the defaults of a web framework: a database with foreign keys, a validator, typed headers, an error handler.

/** Differences between services with the defaults of their web framework. */
export interface Manners extends Pick<Stock, 'users' | 'items'> {
  readonly others: readonly string[];
  readonly story: string;
  /** For each language, the labels of the report options by their code. */
  readonly options: Readonly<Record<string, Readonly<Record<string, string>>>>;
  error(status: number, what: string, incoming: Incoming): Outgoing;
  /** The statuses of refusals: of a body that breaks its schema, of an unknown id, and of a change that was already made. */
  readonly statuses: { readonly invalid: number; readonly unknown: number; readonly again?: number };
  /** Reads the value of a text field, which may have another type; `undefined` if the service refuses that type. */
  readonly text: (value: unknown) => string | undefined;
  /** A page of users, newest first; `undefined` if there is no such page. */
  page(all: readonly string[], n1: number, n2: number, incoming: Incoming): unknown;
  readonly reportsOnce?: true;
  /** Texts of a profile are empty at first, but no update can make them empty. */
  readonly noBlanks?: true;
  /** The limit of requests in each window of `windowMs`. */
  readonly rate?: { readonly limit: number; readonly windowMs: number };
}

export function numbered(prefix: string, from: number, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${prefix}${index + from}`);
}

/**
 * Makes the description of a service from its manners. `tokens`: the user ids of the service by token, to which the provisioner adds users.
 */
export function styleOf(manners: Manners, tokens = new Map(Object.entries(manners.users))): House {
  const { statuses, error, options, noBlanks } = manners;
  const { invalid, unknown, again } = statuses;
  const [firstOptions = {}] = Object.values(options);
  const shown = (id: string, { held, incoming }: Handled) => {
    const profile = held.profiles.get(id);
    const avatar = held.avatars.get(`${incoming.headers['mm-client-id']} ${id}`);
    const [blank, none] = noBlanks ? ['', 0] : [null, null];
    return {
      id,
      ...Object.fromEntries(['name', 'status', 'url'].map((name) => [name, profile?.[name] ?? blank])),
      gender: profile?.['gender'] ?? none,
      avatar: avatar ? { name: avatar['name'] } : null,
    };
  };
  const style: House = {
    ...plain,
    ...manners,
    stories: [manners.story, `${manners.story}1`],
    codes: Object.keys(firstOptions),
    languages: Object.keys(options),
    enter: (incoming) => letIn(incoming, invalid, tokens),
    body: (incoming, row) => bodyOf(incoming, row, manners),
    schemas: usualSchemas,
    invalid: [invalid, ([wrong = '']) => wrong],
    refused: error,
    errors: {
      ...{ friend: unknown, user: unknown, story: unknown, type: unknown, item: unknown },
      ...{ language: unknown, code: invalid, version: 409 },
      ...{ reported: manners.reportsOnce ? 409 : undefined, blocked: again },
    },
    done: { status: 204 },
    list: ({ list, page, incoming }) => {
      const ids = list.map(({ id }) => id).reverse();
      const body = manners.page(ids, ...page, incoming);
      if (body === undefined) throw new Stopped(invalid, 'page');
      return { status: 200, body };
    },
    says: {
      block: ({ id }) => ({ status: 201, body: { user: id } }),
      love: ({ held }) => ({ status: 200, body: { loves: held.loves.size } }),
      unlove: ({ held }) => ({ status: 200, body: { loves: held.loves.size } }),
      reportOptions: ({ id }) => ({ status: 200, body: options[id] ?? firstOptions }),
      report: () => ({ status: 201, body: { id: randomUUID() } }),
      cloneType: ({ id }) => ({ status: 201, body: { version: id } }),
      saveAvatar: ({ me, isNew, fields }) => ({ status: isNew ? 201 : 200, body: { owner: me, name: fields['name'] } }),
      updateProfile: (handled) => ({ status: 200, body: shown(handled.me, handled) }),
      readProfile: (handled) => ({ status: 200, body: shown(handled.id, handled) }),
      evaluate: (handled) => ({ status: 200, body: { key: handled.id, value: flagOf(style, handled) ?? null } }),
    },
  };
  return style;
}

function letIn({ headers, path }: Incoming, invalid: number, tokens: ReadonlyMap<string, string>): void {
  const isFlag = path.endsWith('/feature');
  if (path.includes('/apikey/')) {
    if (headers['mm-api-key'] !== plain.apiKey) throw new Stopped(401, 'mm-api-key');
    for (const name of ['mm-client-id', ...(isFlag ? ['mm-user-id', ...APP_HEADERS] : [])])
      if (headers[name] === undefined) throw new Stopped(invalid, name);
    // The framework declares `app-ver` as a number, so it refuses any other value. It declares all other headers as texts, which may be
    // empty.
    if (isFlag && !/^\d+$/.test(headers['app-ver'] ?? '')) throw new Stopped(invalid, 'app-ver');
    return;
  }
  const user = tokens.get(/^bearer (\S+)$/i.exec(headers['authorization'] ?? '')?.[1] ?? '');
  if (!user) throw new Stopped(401, 'authorization');
  const isClient = [plain.client, OTHER_CLIENT].includes(headers['mm-client-id'] ?? '');
  if (headers['mm-user-id'] !== user || !isClient) throw new Stopped(403, 'forbidden');
}

/** The documented fields of a body, with texts as the service converts them. @throws Stopped if a field is invalid or empty */
function bodyOf(incoming: Incoming, row: Row, { statuses: { invalid }, text, noBlanks }: Manners): Body {
  if (incoming.text === '') throw new Stopped(invalid, 'body');
  const given = anyBody(incoming);
  const schema = usualSchemas[row] ?? {};
  const read = Object.fromEntries(
    Object.entries(schema).flatMap(([name, rule]) => {
      const value = rule.startsWith('text') ? text(given[name]) : given[name];
      return given[name] === undefined ? [] : [[name, value]];
    }),
  );
  const isBlank = (name: string) =>
    read[name] === '' && (schema[name] === 'text' || (noBlanks && row === 'updateProfile'));
  const odd = Object.keys(read).find((name) => read[name] === undefined || isBlank(name));
  if (odd) throw new Stopped(invalid, odd);
  return read;
}

export function framework(manners: Manners): StrangerHandler {
  const tokens = new Map(Object.entries(manners.users));
  const style = styleOf(manners, tokens);
  const held = new Held(style);
  const answer = house(style, held);
  const provision = ({ path, text }: Incoming): Outgoing => {
    const { count = 1 } = parsedJson(text) as { readonly count?: number };
    const ids = Array.from({ length: count }, () => randomUUID());
    if (path.endsWith('/items')) {
      for (const id of ids) held.items.add(id);
      return { status: 201, body: { itemIds: ids } };
    }
    for (const id of ids) tokens.set(`token-${id}`, held.people.add(id) && id);
    return { status: 201, body: { users: ids.map((userId) => ({ userId, accessToken: `token-${userId}` })) } };
  };

  const count = manners.rate ? rateCounter(manners.rate) : () => ({ headers: {}, isTooMany: false });
  return (incoming) => {
    if (incoming.path.startsWith('/provision/')) return provision(incoming);
    const { headers, isTooMany } = count();
    return { ...(isTooMany ? manners.error(429, 'rate', incoming) : answer(incoming)), headers };
  };
}

export const OTHER_CLIENT = `${plain.client}-2`;

/**
 * Returns a function that counts a request in the present window of time. This function returns headers, and whether the limit is exceeded.
 */
function rateCounter({ limit, windowMs }: NonNullable<Manners['rate']>) {
  let [window, served] = [0, 0];
  return (): { readonly headers: Readonly<Record<string, string>>; readonly isTooMany: boolean } => {
    const now = Math.floor(Date.now() / windowMs);
    served = now === window ? served + 1 : 1;
    window = now;
    const seconds = String(Math.ceil(((now + 1) * windowMs - Date.now()) / 1_000));
    const isTooMany = served > limit;
    const headers = {
      'ratelimit-limit': String(limit),
      'ratelimit-remaining': String(Math.max(0, limit - served)),
      'ratelimit-reset': seconds,
      ...(isTooMany ? { 'retry-after': seconds } : {}),
    };
    return { headers, isTooMany };
  };
}
