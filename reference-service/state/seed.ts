import type { FlagStore } from './flags.ts';
import type { ItemStore } from './items.ts';
import type { StoryStore } from './stories.ts';
import type { TypeStore } from './types.ts';
import type { UserStore } from './users.ts';

/** The initial data of the service; `environments/local.env` contains the same values (a test compares them). */
export const seeded = {
  client: { clientId: 'client-harbour', apiKey: 'key_harbour_4f1c9a7e2b' },
  caller: { userId: 'user-ada', accessToken: 'tok_ada_91d0b6c3e8a54f27' },
  friend: { userId: 'user-ben', accessToken: 'tok_ben_3a7fe2905cd14b68' },
  story: 'story-lighthouse',
  otherStory: 'story-harbour-seal',
  flag: { key: 'new-home', value: 'on', platform: null },
  source: { clientId: 'client-shipyard', typeName: 'badge', typeVersion: '1.0' },
  items: ['item-anchor', 'item-buoy'],
  /** All users have an account at both. */
  clientsOfUsers: ['client-harbour', 'client-shipyard'],
} as const;

/** The stores that the seed fills. */
interface Seedable {
  readonly users: UserStore;
  readonly stories: StoryStore;
  readonly flags: FlagStore;
  readonly types: TypeStore;
  readonly items: ItemStore;
}

/** Adds missing seed data; an existing state file keeps its contents. */
export function seed(state: Seedable): void {
  const { client, caller, friend, story, otherStory, flag, source, items } = seeded;
  state.users.addClient(client.clientId, client.apiKey);
  state.users.addClient(source.clientId, 'key_shipyard_77aa02d94c');
  for (const user of [caller, friend])
    for (const clientId of seeded.clientsOfUsers) state.users.add({ ...user, clientId });
  for (const each of [story, otherStory]) state.stories.add(each);
  state.flags.add(flag.key, flag);
  state.types.add(source.clientId, source.typeName, source.typeVersion, true);
  for (const item of items) state.items.add(caller.userId, item);
}
