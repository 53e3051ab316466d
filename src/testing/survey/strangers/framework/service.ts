import { randomUUID } from 'node:crypto';
import { type Incoming, isRecord, type Outgoing, parse, type StrangerHandler } from '../serve.ts';
import type { Manners } from './manners.ts';
import { rateCounter } from './rate.ts';
import { type Body, enter, idOf, Stopped, validBody } from './request.ts';

// A service as frameworks give it by default: a database with foreign keys, a validator, typed headers, an error handler.

type Action = (me: string, body: Body, parts: readonly string[], incoming: Incoming) => Outgoing;

/** A fresh service with its own database. */
export function framework(manners: Manners): StrangerHandler {
  const { statuses, error, languages, fallsBack, noBlanks, flag } = manners;
  const tokens = new Map(Object.entries(manners.users));
  const people = new Set([...Object.values(manners.users), ...manners.others]);
  const blocks: { readonly by: string; readonly whom: string }[] = [];
  const [loves, reports, versions] = [new Set<string>(), new Set<string>(), new Set<string>()];
  const [items, stories] = [new Set(manners.items), new Set([manners.story])];
  const [profiles, avatars] = [new Map<string, Body>(), new Map<string, Body>()];

  const known = <T>(set: { has(value: T): boolean }, value: T, what: string) => {
    if (!set.has(value)) throw new Stopped(statuses.unknown, what);
    return value;
  };
  const listed = (all: readonly string[], [n1, n2]: readonly string[], incoming: Incoming) => {
    const body = manners.page(all, Number(n1), Number(n2), incoming);
    if (body === undefined) throw new Stopped(statuses.invalid, 'page');
    return { status: 200, body };
  };
  const blockedBy = (me: string) => blocks.filter(({ by }) => by === me).map(({ whom }) => whom);
  const blockersOf = (me: string) => blocks.filter(({ whom }) => whom === me).map(({ by }) => by);
  const shown = (id: string) => ({
    id,
    ...Object.fromEntries(
      ['name', 'status', 'url'].map((name) => [name, profiles.get(id)?.[name] ?? (noBlanks ? '' : null)]),
    ),
    gender: profiles.get(id)?.['gender'] ?? (noBlanks ? 0 : null),
    avatar: avatars.has(id) ? { name: avatars.get(id)?.['name'] } : null,
  });

  const actions: Readonly<Record<string, readonly [body: string, act: Action]>> = {
    'POST /v1/friends/block': [
      'block',
      (me, { friendId }) => {
        const whom = known(people, String(friendId), 'user');
        const isAgain = blockedBy(me).includes(whom);
        if (isAgain && statuses.again) throw new Stopped(statuses.again, 'already');
        if (!isAgain) blocks.unshift({ by: me, whom });
        return { status: 201, body: { user: whom } };
      },
    ],
    'POST /v1/friends/unblock': [
      'block',
      (me, { friendId }) => {
        const at = blocks.findIndex((each) => each.by === me && each.whom === String(friendId));
        if (at >= 0) blocks.splice(at, 1);
        return { status: 204 };
      },
    ],
    'GET /v1/friends/block/(\\d+)/(\\d+)': ['', (me, _, parts, incoming) => listed(blockedBy(me), parts, incoming)],
    'GET /v1/friends/block/me/(\\d+)/(\\d+)': ['', (me, _, parts, incoming) => listed(blockersOf(me), parts, incoming)],
    'POST /v1/stories/love': [
      'love',
      (me, { storyId }) => {
        loves.add(`${me} ${known(stories, String(storyId), 'story')}`);
        return { status: 200, body: { loves: loves.size } };
      },
    ],
    'POST /v1/stories/unlove': [
      'love',
      (me, { storyId }) => {
        loves.delete(`${me} ${known(stories, String(storyId), 'story')}`);
        return { status: 200, body: { loves: loves.size } };
      },
    ],
    'GET /v1/reports/opt/([a-z]{2})': [
      '',
      (_, __, [language = '']) => {
        const first = fallsBack && Object.values(languages)[0];
        const body = languages[language] ?? first;
        if (!body) throw new Stopped(statuses.unknown, 'language');
        return { status: 200, body };
      },
    ],
    'POST /v1/stories/report': [
      'report',
      (me, { storyId, reports: codes }) => {
        const story = known(stories, String(storyId), 'story');
        const options = Object.keys(Object.values(languages)[0] ?? {});
        if ((codes as unknown[]).some((code) => !options.includes(String(code))))
          throw new Stopped(statuses.invalid, 'reports');
        if (manners.reportsOnce && reports.has(`${me} ${story}`)) throw new Stopped(409, 'reported');
        reports.add(`${me} ${story}`);
        return { status: 201, body: { id: randomUUID() } };
      },
    ],
    'POST /v1/apikey/type/clone': [
      'clone',
      (_, { FromClientId, TypeName, TypeVersion }) => {
        known(new Set(['catalogue frame']), `${FromClientId} ${TypeName}`, 'type');
        if (versions.has(String(TypeVersion))) throw new Stopped(409, 'version');
        versions.add(String(TypeVersion));
        return { status: 201, body: { version: TypeVersion } };
      },
    ],
    'POST /v1/avatar': [
      'avatar',
      (me, body) => {
        const isNew = !avatars.has(me);
        avatars.set(me, body);
        return { status: isNew ? 201 : 200, body: { owner: me, name: body['name'] } };
      },
    ],
    'PUT /v1/profile': [
      'profile',
      (me, { includes, ...fields }) => {
        const named = includes === undefined ? undefined : String(includes).replace('avartarUrl', 'url').split(';');
        const applied = Object.entries(fields).filter(([name]) => !named || named.includes(name));
        profiles.set(me, { ...profiles.get(me), ...Object.fromEntries(applied) });
        return { status: 200, body: shown(me) };
      },
    ],
    'GET /v1/profile/([\\w-]+)': [
      '',
      (_, __, [id = '']) => ({ status: 200, body: shown(known(people, idOf(id, manners, 'id'), 'user')) }),
    ],
    'POST /v1/apikey/feature': [
      'feature',
      (_, { key, default: fallback }) => ({
        status: 200,
        body: { key, value: key === flag[0] ? flag[1] : (fallback ?? null) },
      }),
    ],
    'DELETE /v1/features/story/([\\w-]+)': [
      '',
      (_, __, [id = '']) => {
        items.delete(known(items, idOf(id, manners, 'id'), 'item'));
        return { status: 204 };
      },
    ],
  };
  const routes = Object.entries(actions).map(([route, [schema, act]]) => {
    const [method, path] = route.split(' ');
    return { method, path: new RegExp(`^${path}$`), schema, act };
  });

  const answer = (incoming: Incoming): Outgoing => {
    const here = routes.filter(({ path }) => path.test(incoming.path));
    const route = here.find(({ method }) => method === incoming.method);
    if (!route) throw new Stopped(here.length > 0 ? 405 : 404, 'route');
    enter(incoming, manners, tokens);
    const { path, schema, act } = route;
    const given = schema === '' ? {} : parse(incoming.text);
    if (!isRecord(given)) throw new Stopped(statuses.invalid, 'body');
    const parts = (path.exec(incoming.path) ?? []).slice(1);
    return act(incoming.headers['mm-user-id'] ?? '', validBody(schema, given, manners), parts, incoming);
  };

  const provision = ({ path, text }: Incoming): Outgoing => {
    const { count = 1 } = parse(text) as { readonly count?: number };
    const ids = Array.from({ length: count }, () => randomUUID());
    if (path.endsWith('/items')) {
      for (const id of ids) items.add(id);
      return { status: 201, body: { itemIds: ids } };
    }
    for (const id of ids) tokens.set(`token-${id}`, people.add(id) && id);
    return { status: 201, body: { users: ids.map((userId) => ({ userId, accessToken: `token-${userId}` })) } };
  };

  const count = manners.rate ? rateCounter(manners.rate) : () => ({ headers: {}, isTooMany: false });
  return (incoming) => {
    if (incoming.path.startsWith('/provision/')) return provision(incoming);
    const { headers, isTooMany } = count();
    try {
      if (isTooMany) throw new Stopped(429, 'rate');
      return { ...answer(incoming), headers };
    } catch (stopped) {
      if (stopped instanceof Stopped) return { ...error(stopped.status, stopped.what, incoming), headers };
      throw stopped;
    }
  };
}
