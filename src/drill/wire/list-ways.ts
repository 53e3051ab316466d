import {
  type Act,
  altered,
  emptied,
  inJson,
  instead,
  type Met,
  nulled,
  type Replied,
  userOf,
  type Way,
  waysOf,
  without,
} from './act.ts';

const lists = new Set(['listBlocked', 'listBlockers']);

/** Ids that the list may show because of a change that passed: whom the asker changed, and who changed the asker. */
function shown({ asked, wire }: Met): string[] {
  const asker = userOf(asked);
  return [...new Set(wire.changes.flatMap(({ user, id }) => [user, id]))].filter((id) => id !== '' && id !== asker);
}

const each = (change: (json: unknown, id: string) => unknown): Act =>
  altered((body, met) => inJson(body, (json) => shown(met).reduce(change, json)));

/** Keeps the first reply of each user for ever. */
const stale: Act = async ({ asked, forward, wire }) => {
  const key = `${userOf(asked)} ${asked.path}`;
  const kept = wire.kept.get(key) ?? (await forward(asked));
  wire.kept.set(key, kept);
  return kept;
};

/** Once something was undone, the reply from before is kept. */
const keepsUndone: Act = async ({ asked, forward, wire }) => {
  const asker = userOf(asked);
  const isUndone = wire.changes.some(({ user, id, isUndo }) => isUndo && (user === asker || id === asker));
  const kept = wire.kept.get(`${asker} ${asked.path}`);
  if (isUndone && kept) return kept;
  const reply = await forward(asked);
  wire.kept.set(`${asker} ${asked.path}`, reply);
  return reply;
};

/** What was changed a moment ago is not shown yet. */
const late: Act = altered((body, { asked, wire }) => {
  const asker = userOf(asked);
  const recent = wire.changes.filter(({ at, isUndo }) => !isUndo && performance.now() - at < wire.lagMs);
  const ids = recent.flatMap(({ user, id }) => [user, id]).filter((id) => id !== '' && id !== asker);
  return inJson(body, (json) => ids.reduce(without, json));
});

/** A cache without the user in its key. */
const cachedForAll: Act = async ({ asked, forward, wire }) => {
  const held = wire.kept.get('cached') as (Replied & { readonly by?: string }) | undefined;
  if (held && held.by !== userOf(asked)) return held;
  const reply = { ...(await forward(asked)), by: userOf(asked) };
  wire.kept.set('cached', reply);
  return reply;
};

const otherDirection: Act = instead(({ asked: { path } }) => ({
  path: path.includes('/block/me/') ? path.replace('/block/me/', '/block/') : path.replace('/block/', '/block/me/'),
}));

/** A list lacks the change, shows it too late, keeps it after its undo, or is another user's. */
export const listWays: readonly Way[] = waysOf('list', ({ id }) => lists.has(id), {
  'is-always-empty': altered((body, met) =>
    inJson(body, (json) => shown(met).reduce((rest, id) => without(rest, id), emptied(json))),
  ),
  'never-changes': stale,
  'keeps-what-was-undone': keepsUndone,
  'shows-changes-too-late': late,
  'is-cached-for-all-users': cachedForAll,
  'gives-the-other-direction': otherDirection,
  'drops-the-ids': each(without),
  'gives-null-for-ids': each(nulled),
});
