import type { Body } from './serve.ts';

export const APP_HEADERS = ['app-bundle', 'app-ver', 'app-platform', 'app-lang', 'app-env'];

export interface Stock {
  /** User ids by token. The first user is the caller, the second one the friend. */
  readonly users: Readonly<Record<string, string>>;
  /** Users who exist, but have no token. */
  readonly others?: readonly string[];
  readonly client: string;
  readonly apiKey: string;
  readonly stories: readonly string[];
  readonly codes: readonly string[];
  readonly languages?: readonly string[];
  readonly flag: readonly [key: string, value: string];
  readonly type: readonly [client: string, name: string, version: string];
  readonly items: readonly string[];
  /** Method and path of the request that shows a profile. */
  readonly show: string;
}

/** Values that all test services have in common. */
export const plain = {
  client: 'client-1',
  apiKey: 'key-3141-5926',
  flag: ['beta', 'on'],
  type: ['catalogue', 'frame', '1.0'],
  show: 'GET /v1/profile/{userId}',
} as const;

export function keysOf(stock: Stock): Readonly<Record<string, string | undefined>> {
  const [[token, user] = [], [friendToken, friend] = []] = Object.entries(stock.users);
  const [fromClient, typeName, typeVersion] = stock.type;
  return {
    CLIENT_ID: stock.client,
    USER_ID: user,
    ACCESS_TOKEN: token,
    FRIEND_USER_ID: friend,
    FRIEND_ACCESS_TOKEN: friendToken,
    API_KEY: stock.apiKey,
    STORY_ID: stock.stories[0],
    OTHER_STORY_ID: stock.stories[1],
    FLAG_KEY: stock.flag[0],
    FROM_CLIENT_ID: fromClient,
    TYPE_NAME: typeName,
    TYPE_VERSION: typeVersion,
    STORED_ITEM_IDS: stock.items.join(','),
    FRIEND_PROFILE_REQUEST: stock.show,
  };
}

/** An entry of a list: the other user, and since when, as an epoch in ms. */
export interface Listed {
  readonly id: string;
  readonly since: number;
}

export class Held {
  readonly people: Set<string>;
  readonly items: Set<string>;
  readonly loves = new Set<string>();
  readonly reports = new Set<string>();
  readonly versions = new Set<string>();
  readonly avatars = new Map<string, Body>();
  readonly profiles = new Map<string, Body>();
  #blocks: { readonly by: string; readonly whom: string; readonly since: number }[] = [];

  constructor({ users, others = [], items }: Stock) {
    this.people = new Set([...Object.values(users), ...others]);
    this.items = new Set(items);
  }

  block(by: string, whom: string): void {
    if (!this.isBlocked(by, whom)) this.#blocks.push({ by, whom, since: Date.now() });
  }

  unblock(by: string, whom: string): void {
    this.#blocks = this.#blocks.filter((each) => each.by !== by || each.whom !== whom);
  }

  isBlocked(by: string, whom: string): boolean {
    return this.#blocks.some((each) => each.by === by && each.whom === whom);
  }

  blockedBy(user: string): Listed[] {
    return this.#blocks.filter(({ by }) => by === user).map(({ whom, since }) => ({ id: whom, since }));
  }

  blockersOf(user: string): Listed[] {
    return this.#blocks.filter(({ whom }) => whom === user).map(({ by, since }) => ({ id: by, since }));
  }
}
