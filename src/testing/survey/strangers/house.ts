import { type Incoming, isRecord, type Outgoing, parse, type StrangerHandler } from './serve.ts';

export type Body = Record<string, unknown>;

/** The rows of the specification; `show` is the way to read a profile that it leaves open. `#` is a number, `*` a text. */
const rows = {
  block: 'POST /v1/friends/block',
  unblock: 'POST /v1/friends/unblock',
  blocked: 'GET /v1/friends/block/#/#',
  blockers: 'GET /v1/friends/block/me/#/#',
  love: 'POST /v1/stories/love',
  unlove: 'POST /v1/stories/unlove',
  options: 'GET /v1/reports/opt/*',
  report: 'POST /v1/stories/report',
  clone: 'POST /v1/apikey/type/clone',
  avatar: 'POST /v1/avatar',
  profile: 'PUT /v1/profile',
  show: 'GET /v1/profile/*',
  feature: 'POST /v1/apikey/feature',
  item: 'DELETE /v1/features/story/*',
} as const;

export type Row = keyof typeof rows;
/** `me` is the user that the request names, `parts` are the texts in its path. @throws Stopped */
type Action = (me: string, body: Body, parts: readonly string[], incoming: Incoming) => Outgoing;

/** The request ends here. */
export class Stopped extends Error {
  readonly status: number;
  readonly what: string;
  constructor(status: number, what = '') {
    super(what);
    this.status = status;
    this.what = what;
  }
}

/** What differs between services that have every row. */
export interface House {
  /** The request line that shows a profile. */
  readonly show?: string;
  /** Checks the headers. @throws Stopped */
  enter(incoming: Incoming): void;
  /** It does so before it looks at the path. */
  readonly entersFirst?: true;
  /** The body of a row, checked. @throws Stopped */
  body?(incoming: Incoming, row: Row): Body;
  refused(status: number, what: string, incoming: Incoming): Outgoing;
  readonly actions: Readonly<Record<Row, Action>>;
}

export function house({
  show = rows.show,
  enter,
  entersFirst,
  body = anyBody,
  refused,
  actions,
}: House): StrangerHandler {
  const routes = Object.entries({ ...rows, show }).map(([row, line]) => {
    const [method = '', path = ''] = line.split(' ');
    const pattern = path.replaceAll('#', '(\\d+)').replaceAll('*', '([^/]+)');
    return { row: row as Row, method, path: new RegExp(`^${pattern}$`) };
  });
  const answer = (incoming: Incoming): Outgoing => {
    if (entersFirst) enter(incoming);
    const here = routes.filter(({ path }) => path.test(incoming.path));
    const route = here.find(({ method }) => method === incoming.method);
    if (!route) throw new Stopped(here.length > 0 ? 405 : 404, 'path');
    if (!entersFirst) enter(incoming);
    const { row, path } = route;
    const given = /^P/.test(incoming.method) ? body(incoming, row) : {};
    const parts = (path.exec(incoming.path) ?? []).slice(1).map(decodeURIComponent);
    return actions[row](incoming.headers['mm-user-id'] ?? '', given, parts, incoming);
  };
  return (incoming) => {
    try {
      return answer(incoming);
    } catch (stopped) {
      if (stopped instanceof Stopped) return refused(stopped.status, stopped.what, incoming);
      throw stopped;
    }
  };
}

/** Whatever JSON object was sent; nothing is one without fields. @throws Stopped */
export function anyBody({ text }: Incoming): Body {
  const body = text === '' ? {} : parse(text);
  if (!isRecord(body)) throw new Stopped(400, 'JSON');
  return body;
}

const kinds = {
  text: (value: unknown) => typeof value === 'string',
  list: (value: unknown) => Array.isArray(value),
  whole: (value: unknown) => Number.isInteger(value),
  flag: (value: unknown) => typeof value === 'boolean',
  map: isRecord,
};
export type Kinds = Readonly<Record<keyof typeof kinds, (value: unknown) => boolean>>;
/** Fields by name: their kind, `?` where they may be missing, and the most characters, e.g. `text?140`. */
export type Schema = Readonly<Record<string, string>>;

/** What most services ask of a body: what a change is about, and nothing that describes it. */
export const usualSchemas: Partial<Record<Row, Schema>> = {
  block: { friendId: 'text' },
  unblock: { friendId: 'text' },
  love: { storyId: 'text' },
  unlove: { storyId: 'text' },
  report: { storyId: 'text', reports: 'list', message: 'text?' },
  clone: {
    FromClientId: 'text',
    TypeName: 'text',
    TypeVersion: 'text',
    Files: 'list?',
    IsSetDefaultTypeVersion: 'flag?',
  },
  avatar: { includes: 'text?', name: 'text', meta: 'text?', items: 'list?' },
  profile: { includes: 'text?', name: 'text?', status: 'text?', url: 'text?', gender: 'whole?' },
  feature: { key: 'text', default: 'text?', contextData: 'map?' },
};

/** The fields that break a schema. */
export function breaches(body: Body, schema: Schema, own: Partial<Kinds> = {}): string[] {
  const wrong = Object.entries(schema).filter(([name, rule]) => {
    const [, kind = '', optional, most] = /^([a-z]+)(\??)(\d*)$/.exec(rule) ?? [];
    const value = body[name];
    if (value === undefined) return !optional;
    return !{ ...kinds, ...own }[kind as keyof Kinds](value) || (most !== '' && String(value).length > Number(most));
  });
  return wrong.map(([name]) => name);
}

/** The fields of an update that its `includes` names. */
export function included({ includes, ...fields }: Body): Body {
  const named = includes === undefined ? undefined : String(includes).replace('avartarUrl', 'url').split(';');
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !named || named.includes(name)));
}

/** The keys of an environment with the first two users of a service, by their tokens. */
export function usersOf(tokens: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const [[token = '', user = ''] = [], [friendToken = '', friend = ''] = []] = Object.entries(tokens);
  return { USER_ID: user, ACCESS_TOKEN: token, FRIEND_USER_ID: friend, FRIEND_ACCESS_TOKEN: friendToken };
}

/** Who blocked whom, in the order in which they did. */
export class Blocks {
  #all: readonly (readonly [by: string, whom: string])[] = [];

  /** Whether that was new. */
  add(by: string, whom: string): boolean {
    const isNew = !this.of(by).includes(whom);
    if (isNew) this.#all = [...this.#all, [by, whom]];
    return isNew;
  }

  /** Whether there was one. */
  remove(by: string, whom: string): boolean {
    const before = this.#all.length;
    this.#all = this.#all.filter((each) => each[0] !== by || each[1] !== whom);
    return this.#all.length < before;
  }

  of(user: string): string[] {
    return this.#all.filter(([by]) => by === user).map(([, whom]) => whom);
  }

  against(user: string): string[] {
    return this.#all.filter(([, whom]) => whom === user).map(([by]) => by);
  }
}

/** A part of a list, from an index on. */
export function window<T>(
  all: readonly T[],
  from: string | number | undefined,
  count: string | number | undefined,
): T[] {
  return all.slice(Number(from), Number(from) + Number(count));
}
