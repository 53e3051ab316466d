import { randomUUID } from 'node:crypto';
import { anyBody, Blocks, type Body, breaches, house, included, type Row, Stopped, usualSchemas } from '../house.ts';
import { type Incoming, type Outgoing, parse, type StrangerHandler } from '../serve.ts';
import { type Manners, otherClient, otherStory } from './manners.ts';

// A service as frameworks give it by default: a database with foreign keys, a validator, typed headers, an error handler.

const APP = ['app-bundle', 'app-ver', 'app-platform', 'app-lang', 'app-env'];

/** A fresh service with its own database. */
export function framework(manners: Manners): StrangerHandler {
  const { statuses, error, languages, fallsBack, noBlanks, flag, countsIds, filledHeaders = [] } = manners;
  const tokens = new Map(Object.entries(manners.users));
  const people = new Set([...Object.values(manners.users), ...manners.others]);
  const blocks = new Blocks();
  const [loves, reports, versions] = [new Set<string>(), new Set<string>(), new Set<string>()];
  const [items, stories] = [new Set(manners.items), new Set([manners.story, otherStory(manners)])];
  const [profiles, avatars] = [new Map<string, Body>(), new Map<string, Body>()];

  const known = (set: ReadonlySet<string>, value: unknown, what: string): string => {
    if (!set.has(String(value))) throw new Stopped(statuses.unknown, what);
    return String(value);
  };
  /** An id in the form that ids have. */
  const idOf = (value: string, what: string) => {
    if (countsIds && !/^\d+$/.test(value)) throw new Stopped(statuses.invalid, what);
    return value;
  };
  const listed = (all: readonly string[], [n1, n2]: readonly string[], incoming: Incoming) => {
    const body = manners.page(all, Number(n1), Number(n2), incoming);
    if (body === undefined) throw new Stopped(statuses.invalid, 'page');
    return { status: 200, body };
  };
  const named = (avatar: Body | undefined) => (avatar ? { name: avatar['name'] } : null);
  const shown = (id: string, { headers }: Incoming) => ({
    id,
    ...Object.fromEntries(
      ['name', 'status', 'url'].map((name) => [name, profiles.get(id)?.[name] ?? (noBlanks ? '' : null)]),
    ),
    gender: profiles.get(id)?.['gender'] ?? (noBlanks ? 0 : null),
    avatar: named(avatars.get(`${headers['mm-client-id']} ${id}`)),
  });

  const enter = ({ headers, path }: Incoming): void => {
    const isFlag = path.endsWith('/feature');
    if (path.includes('/apikey/')) {
      if (headers['mm-api-key'] !== manners.apiKey) throw new Stopped(401, 'mm-api-key');
      for (const name of ['mm-client-id', ...(isFlag ? ['mm-user-id', ...APP] : [])])
        if (headers[name] === undefined || (headers[name] === '' && filledHeaders.includes(name)))
          throw new Stopped(statuses.invalid, name);
      // A number in the handler's signature; the others are texts, which may be empty.
      if (isFlag && !/^\d+$/.test(headers['app-ver'] ?? '')) throw new Stopped(statuses.invalid, 'app-ver');
      return;
    }
    const user = tokens.get(/^bearer (\S+)$/i.exec(headers['authorization'] ?? '')?.[1] ?? '');
    if (!user) throw new Stopped(401, 'authorization');
    const isClient = [manners.client, otherClient(manners)].includes(headers['mm-client-id'] ?? '');
    if (headers['mm-user-id'] !== user || !isClient) throw new Stopped(403, 'forbidden');
  };

  /** The documented fields of a body, with its texts as the service reads them. */
  const body = (incoming: Incoming, row: Row): Body => {
    if (incoming.text === '') throw new Stopped(statuses.invalid, 'body');
    const given = anyBody(incoming);
    const schema = usualSchemas[row] ?? {};
    const read = Object.fromEntries(
      Object.entries(schema).flatMap(([name, rule]) => {
        const value = rule.startsWith('text') ? manners.text(given[name]) : given[name];
        return given[name] === undefined ? [] : [[name, value]];
      }),
    );
    const isBlank = (name: string) => read[name] === '' && (schema[name] === 'text' || (noBlanks && row === 'profile'));
    for (const [name, value] of Object.entries(read)) {
      if (value === undefined || isBlank(name)) throw new Stopped(statuses.invalid, name);
      if (name === 'friendId' || name === 'storyId') idOf(String(value), name);
    }
    const [wrong] = breaches(read, schema);
    if (wrong) throw new Stopped(statuses.invalid, wrong);
    return read;
  };

  const answer = house({
    enter,
    body,
    refused: (status, what, incoming) => error(status, what, incoming),
    actions: {
      block: (me, { friendId }) => {
        const whom = known(people, friendId, 'user');
        if (!blocks.add(me, whom) && statuses.again) throw new Stopped(statuses.again, 'already');
        return { status: 201, body: { user: whom } };
      },
      unblock: (me, { friendId }) => {
        blocks.remove(me, String(friendId));
        return { status: 204 };
      },
      blocked: (me, _, parts, incoming) => listed(blocks.of(me).toReversed(), parts, incoming),
      blockers: (me, _, parts, incoming) => listed(blocks.against(me).toReversed(), parts, incoming),
      love: (me, { storyId }) => {
        loves.add(`${me} ${known(stories, storyId, 'story')}`);
        return { status: 200, body: { loves: loves.size } };
      },
      unlove: (me, { storyId }) => {
        loves.delete(`${me} ${known(stories, storyId, 'story')}`);
        return { status: 200, body: { loves: loves.size } };
      },
      options: (_, __, [language = '']) => {
        const options = languages[language] ?? (fallsBack && Object.values(languages)[0]);
        if (!options) throw new Stopped(statuses.unknown, 'language');
        return { status: 200, body: options };
      },
      report: (me, { storyId, reports: codes }) => {
        const story = known(stories, storyId, 'story');
        const options = Object.keys(Object.values(languages)[0] ?? {});
        if ((codes as unknown[]).some((code) => !options.includes(String(code))))
          throw new Stopped(statuses.invalid, 'reports');
        if (manners.reportsOnce && reports.has(`${me} ${story}`)) throw new Stopped(409, 'reported');
        reports.add(`${me} ${story}`);
        return { status: 201, body: { id: randomUUID() } };
      },
      clone: (_, { FromClientId, TypeName, TypeVersion: version }) => {
        known(new Set(['catalogue frame']), `${FromClientId} ${TypeName}`, 'type');
        if (versions.has(String(version))) throw new Stopped(409, 'version');
        versions.add(String(version));
        return { status: 201, body: { version } };
      },
      avatar: (me, fields, _, { headers }) => {
        const owner = `${headers['mm-client-id']} ${me}`;
        const isNew = !avatars.has(owner);
        avatars.set(owner, fields);
        return { status: isNew ? 201 : 200, body: { owner: me, name: fields['name'] } };
      },
      profile: (me, fields, _, incoming) => {
        profiles.set(me, { ...profiles.get(me), ...included(fields) });
        return { status: 200, body: shown(me, incoming) };
      },
      show: (_, __, [id = ''], incoming) => ({
        status: 200,
        body: shown(known(people, idOf(id, 'id'), 'user'), incoming),
      }),
      feature: (_, { key, default: fallback = null }) => ({
        status: 200,
        body: { key, value: key === flag[0] ? flag[1] : fallback },
      }),
      item: (_, __, [id = '']) => {
        items.delete(known(items, idOf(id, 'id'), 'item'));
        return { status: 204 };
      },
    },
  });

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
    return { ...(isTooMany ? error(429, 'rate', incoming) : answer(incoming)), headers };
  };
}

/** Counts requests in windows; gives the headers of the next, and whether it is one too many. */
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
