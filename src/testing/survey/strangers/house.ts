import { type CallableId, operation, operationIds } from '../../../service/index.ts';
import { breaches, type Kinds, type Schemas } from './schema.ts';
import { anyBody, type Body, type Incoming, type Outgoing, Stopped, type StrangerHandler } from './serve.ts';
import { Held, type Listed, type Stock } from './stock.ts';

/**
 * The operations of a test service. `getFriendProfile` is left out, because the specification gives it the request of `updateProfile`. In
 * its place, `readProfile` reads a profile.
 */
export type Row = Exclude<CallableId, 'getFriendProfile'>;

const rows: readonly Row[] = [...operationIds.filter((id) => id !== 'getFriendProfile'), 'readProfile'];

/** The field of a request body that names the subject of the request. */
const subjects: Partial<Record<Row, string>> = {
  block: 'friendId',
  unblock: 'friendId',
  love: 'storyId',
  unlove: 'storyId',
  report: 'storyId',
  cloneType: 'TypeVersion',
  evaluate: 'key',
};

export interface Handled {
  readonly me: string;
  /** The subject of a request: a user, a story, a language, a version, a flag or an item. */
  readonly id: string;
  readonly fields: Body;
  readonly incoming: Incoming;
  readonly held: Held;
  /** The two numbers in the path of a list. `list` has all of its entries, the oldest first. */
  readonly page: readonly [number, number];
  readonly list: readonly Listed[];
  /** Whether the change created something that did not exist. */
  readonly isNew: boolean;
}

/** Reasons of a service for refusing a request. */
export type Trouble =
  | ('friend' | 'blocked' | 'not blocked' | 'story' | 'loved' | 'not loved' | 'language' | 'code' | 'reported')
  | ('type' | 'version' | 'user' | 'item' | 'pending');

type Answers = Exclude<Row, 'listBlocked' | 'listBlockers'>;

export interface House extends Stock {
  enter(incoming: Incoming, stock: Stock): void;
  /** True if the service checks the headers of a request before it looks up the path. */
  readonly entersFirst?: true;
  /** Reads the body of a request; default: accepts any JSON object. @throws Stopped */
  body?(incoming: Incoming, row: Row): Body;
  readonly schemas?: Schemas;
  readonly kinds?: Partial<Kinds>;
  /**
   * The status with which the service refuses a body that breaks its schema (default: 400), and the text of the refusal, made from the
   * names of the wrong fields.
   */
  readonly invalid?: readonly [status: number, what?: (wrong: readonly string[]) => string];
  refused(status: number, what: string, incoming: Incoming): Outgoing;
  /** The status with which the service refuses a request for each reason. If a reason has no status, the service accepts the request. */
  readonly errors: Partial<Record<Trouble, number | undefined>>;
  /** The response to an accepted request; default: `done`. */
  readonly says: Partial<Record<Answers, (handled: Handled) => Outgoing>>;
  list(handled: Handled): Outgoing;
  readonly done: Outgoing;
  /** The fields that an update of a profile writes; default: the fields that the `includes` of the update names. */
  applied?(fields: Body): Body;
  /** How long reads lag behind a change of the friends or a profile, in ms. */
  readonly lagMs?: number;
}

export function lineOf({ show }: Stock, row: Row): readonly [method: string, path: string] {
  const [method = '', path = ''] = show.split(' ');
  return row === 'readProfile' ? [method, path] : [operation(row).method, operation(row).path];
}

/**
 * Each change with its opposite. While a user's change is pending, the service refuses the opposite change by this user, but accepts any
 * other change.
 */
const opposites: Partial<Record<Row, Row>> = { block: 'unblock', unblock: 'block', love: 'unlove', unlove: 'love' };

export function house(style: House, held = new Held(style)): StrangerHandler {
  const routes = rows.map((row) => {
    const [method, path] = lineOf(style, row);
    const pattern = path.replace(/\{n\d\}/g, '(\\d+)').replace(/\{\w+\}/g, '([^/]+)');
    return { row, method, path: new RegExp(`^${pattern}$`) };
  });
  const pending: { readonly at: number; readonly by: Row; readonly own: string; readonly apply: () => unknown }[] = [];
  const answer = (incoming: Incoming): Outgoing => {
    if (style.entersFirst) style.enter(incoming, style);
    const here = routes.filter(({ path }) => path.test(incoming.path));
    const route = here.find(({ method }) => method === incoming.method);
    if (!route) throw new Stopped(here.length > 0 ? 405 : 404, 'path');
    if (!style.entersFirst) style.enter(incoming, style);
    const { row, path } = route;
    const fields = /^P/.test(incoming.method) ? checkedBody(style, incoming, row) : {};
    const parts = (path.exec(incoming.path) ?? []).slice(1).map(decodeURIComponent);
    const me = incoming.headers['mm-user-id'] ?? '';
    const id = String(fields[subjects[row] ?? ''] ?? parts[0] ?? '');
    const page = [Number(parts[0]), Number(parts[1])] as const;
    const asked = { me, id, fields, incoming, held, page, list: [], isNew: false };
    const ownKey = `${me} ${id}`;
    if (style.errors.pending && pending.some((each) => each.own === ownKey && each.by === opposites[row]))
      throw new Stopped(style.errors.pending, 'pending');
    const change = (apply: () => unknown) => {
      if (style.lagMs) pending.push({ at: Date.now() + style.lagMs, by: row, own: ownKey, apply });
      else apply();
    };
    const need = (isRight: boolean, trouble: Trouble): undefined => {
      const status = style.errors[trouble];
      if (!isRight && status) throw new Stopped(status, trouble);
    };
    if (['love', 'unlove', 'report'].includes(row)) need(style.stories.includes(id), 'story');
    const handled = { ...asked, ...outcomes[row]?.({ ...asked, own: ownKey, style, need, change }) };
    if (row === 'listBlocked' || row === 'listBlockers') return style.list(handled);
    return style.says[row]?.(handled) ?? style.done;
  };
  return (incoming) => {
    while (pending[0] && pending[0].at <= Date.now()) pending.shift()?.apply();
    try {
      return answer(incoming);
    } catch (stopped) {
      if (stopped instanceof Stopped) return style.refused(stopped.status, stopped.what, incoming);
      throw stopped;
    }
  };
}

function checkedBody(
  { body = anyBody, schemas = {}, kinds, invalid = [400] }: House,
  incoming: Incoming,
  row: Row,
): Body {
  const given = body(incoming, row);
  const wrong = breaches(given, schemas[row], kinds);
  const [status, what = String] = invalid;
  if (wrong.length > 0) throw new Stopped(status, what(wrong));
  return given;
}

/**
 * Arguments of the functions in `outcomes`. `need` refuses the request if the condition is false; `change` applies an effect, at once or
 * after the lag.
 */
interface Handling extends Handled {
  readonly own: string;
  readonly style: House;
  readonly need: (isRight: boolean, trouble: Trouble) => undefined;
  readonly change: (apply: () => unknown) => void;
}

const outcomes: Partial<Record<Row, (handling: Handling) => Partial<Handled> | undefined>> = {
  block: ({ me, id, held, need, change }) => {
    const isNew = !held.isBlocked(me, id);
    need(held.people.has(id), 'friend');
    need(isNew, 'blocked');
    change(() => held.block(me, id));
    return { isNew };
  },
  unblock: ({ me, id, held, need, change }) => {
    need(held.isBlocked(me, id), 'not blocked');
    change(() => held.unblock(me, id));
  },
  listBlocked: ({ me, held }) => ({ list: held.blockedBy(me) }),
  listBlockers: ({ me, held }) => ({ list: held.blockersOf(me) }),
  love: ({ own, held, need }) => {
    need(!held.loves.has(own), 'loved');
    held.loves.add(own);
  },
  unlove: ({ own, held, need }) => need(held.loves.delete(own), 'not loved'),
  reportOptions: ({ id, style, need }) => need(style.languages?.includes(id) === true, 'language'),
  report: ({ own, fields, held, style, need }) => {
    const codes = [fields['reports'] ?? []].flat();
    need(
      codes.every((code) => style.codes.includes(String(code))),
      'code',
    );
    need(!held.reports.has(own), 'reported');
    held.reports.add(own);
  },
  cloneType: ({ id, fields, held, style, need }) => {
    const [client, name] = style.type;
    need(fields['FromClientId'] === client && fields['TypeName'] === name, 'type');
    need(!held.versions.has(id), 'version');
    held.versions.add(id);
  },
  saveAvatar: ({ me, fields, incoming, held }) => {
    const owner = `${incoming.headers['mm-client-id']} ${me}`;
    const isNew = !held.avatars.has(owner);
    held.avatars.set(owner, fields);
    return { isNew };
  },
  updateProfile: ({ me, fields, held, style, change }) => {
    const applied = (style.applied ?? included)(fields);
    change(() => held.profiles.set(me, { ...held.profiles.get(me), ...applied }));
  },
  readProfile: ({ id, held, need }) => need(held.people.has(id), 'user'),
  deleteItem: ({ id, held, need }) => need(held.items.delete(id), 'item'),
};

/** The fields of an update that its `includes` names; all fields if the update has no `includes`. */
export function included({ includes, ...fields }: Body): Body {
  const named = includes === undefined ? undefined : String(includes).replace('avartarUrl', 'url').split(';');
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !named || named.includes(name)));
}

/** The value of the only flag that exists. For any other key, the default in the request. */
export function flagOf({ flag: [key, value] }: Stock, { id, fields }: Handled): unknown {
  return id === key ? value : fields['default'];
}

export function idsIn(list: readonly Listed[], from: number, count: number): string[] {
  return list.slice(from, from + count).map(({ id }) => id);
}
