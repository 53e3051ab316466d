import { randomUUID } from 'node:crypto';
import type { RequestBody } from '../../schemas/index.ts';
import { openDatabase, Table } from './database.ts';

/** The service's initial data. A test checks that `environments/local.env` has the same values. */
export const seeded = {
  client: { clientId: 'client-harbour', apiKey: 'key_harbour_4f1c9a7e2b' },
  caller: { userId: 'user-ada', accessToken: 'tok_ada_91d0b6c3e8a54f27' },
  friend: { userId: 'user-ben', accessToken: 'tok_ben_3a7fe2905cd14b68' },
  story: 'story-lighthouse',
  otherStory: 'story-harbour-seal',
  flag: { key: 'new-home', value: 'on', platform: null },
  source: { clientId: 'client-shipyard', typeName: 'badge', typeVersion: '1.0' },
  items: ['item-anchor', 'item-buoy'],
} as const;

/** The complete state of the service, stored in `file`; by default only in memory. */
export function openState(file = ':memory:') {
  const database = openDatabase(file);
  const state = {
    clients: new Table<{ clientId: string; apiKey: string }>(database, 'clients'),
    users: new Table<{ userId: string; clientId: string; accessToken: string }>(database, 'users'),
    blocks: new Table<{ blocker: string; blocked: string; at: string }>(database, 'blocks'),
    stories: new Table<{ storyId: string }>(database, 'stories'),
    loves: new Table<{ userId: string; storyId: string }>(database, 'loves'),
    reports: new Table<{ reportId: string; userId: string; storyId: string; reports: string; message: string }>(
      database,
      'reports',
    ),
    types: new Table<{ clientId: string; name: string; version: string; isDefault: number }>(database, 'types'),
    /** One avatar for each client (the app that a user signs in to) and owner (specification, part 4, rule 1). */
    avatars: new Table<{ clientId: string; userId: string; avatarId: string; record: string }>(database, 'avatars'),
    profiles: new Table<{ userId: string; record: string }>(database, 'profiles'),
    /** `platform` is the only platform on which the flag is active. Null means all platforms. */
    flags: new Table<{ key: string; value: string; platform: string | null }>(database, 'flags'),
    items: new Table<{ itemId: string; owner: string }>(database, 'items'),
    close: () => database.close(),
  };
  seed(state);
  return state;
}

export type State = ReturnType<typeof openState>;

/** Adds initial data that is missing. Data that a state file already contains stays unchanged. */
function seed(state: State): void {
  const { client, caller, friend, story, otherStory, flag, source, items } = seeded;
  state.clients.add(client);
  state.clients.add({ clientId: source.clientId, apiKey: 'key_shipyard_77aa02d94c' });
  for (const user of [caller, friend]) state.users.add({ ...user, clientId: client.clientId });
  for (const storyId of [story, otherStory]) state.stories.add({ storyId });
  state.flags.add(flag);
  state.types.add({ clientId: source.clientId, name: source.typeName, version: source.typeVersion, isDefault: 1 });
  for (const itemId of items) state.items.add({ itemId, owner: caller.userId });
}

export function blockedBy({ blocks }: State, blocker: string, offset = 0, limit = Infinity) {
  const newest = blocks.all({ blocker }).reverse();
  return newest.slice(offset, offset + limit).map(({ blocked, at }) => ({ userId: blocked, blockedAt: at }));
}

export function blockersOf({ blocks }: State, blocked: string, offset = 0, limit = Infinity) {
  const newest = blocks.all({ blocked }).reverse();
  return newest.slice(offset, offset + limit).map(({ blocker, at }) => ({ userId: blocker, blockedAt: at }));
}

export function loveCount({ loves }: State, storyId: string): number {
  return loves.all({ storyId }).length;
}

export function avatarOf({ avatars }: State, clientId: string, userId: string) {
  const row = avatars.find({ clientId, userId });
  return row && { avatarId: row.avatarId, ...(JSON.parse(row.record) as RequestBody<'avatar'>) };
}

export function keepAvatar(state: State, clientId: string, userId: string, record: RequestBody<'avatar'>) {
  const avatarId = avatarOf(state, clientId, userId)?.avatarId ?? `avatar-${randomUUID()}`;
  state.avatars.save({ clientId, userId, avatarId, record: JSON.stringify(record) });
  return { avatarId, ...record };
}

export interface ProfileRecord {
  readonly name: string;
  readonly status: string;
  readonly url: string;
  readonly gender: number;
}

export function profileOf({ profiles }: State, userId: string): ProfileRecord {
  const row = profiles.find({ userId });
  return row ? (JSON.parse(row.record) as ProfileRecord) : { name: '', status: '', url: '', gender: 0 };
}
