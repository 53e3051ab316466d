import { usersOf } from '../house.ts';
import type { Incoming, Outgoing } from '../serve.ts';

/** What differs between services on frameworks with their defaults. */
export interface Manners {
  /** The user and the ids that the service knows. */
  readonly users: Readonly<Record<string, string>>;
  /** Users who exist, and nobody signs in as. */
  readonly others: readonly string[];
  readonly apiKey: string;
  readonly client: string;
  readonly story: string;
  readonly items: readonly string[];
  readonly languages: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly flag: readonly [key: string, value: string];
  error(status: number, what: string, incoming: Incoming): Outgoing;
  /** Statuses: of a body that breaks its schema, of what is not known, and of a change that was made before. */
  readonly statuses: { readonly invalid: number; readonly unknown: number; readonly again?: number };
  /** Reads a text that was given as something else; `undefined` where it must be a text. */
  readonly text: (value: unknown) => string | undefined;
  /** A page of users, newest first; `undefined` where there is none. */
  page(all: readonly string[], n1: number, n2: number, incoming: Incoming): unknown;
  readonly reportsOnce?: true;
  /** Ids are numbers, so that any other text is invalid. */
  readonly countsIds?: true;
  /** Texts of a profile are empty at first, and can't be set to that. */
  readonly noBlanks?: true;
  /** Headers that must hold something. */
  readonly filledHeaders?: readonly string[];
  /** Options in a language that nobody translated are those of the first one. */
  readonly fallsBack?: true;
  /** Requests in each window, of so many ms. */
  readonly rate?: { readonly limit: number; readonly windowMs: number };
}

/** Another story, and another client of all users. */
export const otherStory = ({ story }: Manners) => `${story}1`;
export const otherClient = ({ client }: Manners) => `${client}-2`;

/** Ids that differ in their number. */
export function numbered(prefix: string, from: number, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${prefix}${index + from}`);
}

/** The keys of an environment with such a service. */
export function keysOf(manners: Manners): Readonly<Record<string, string>> {
  const { users, others, apiKey, client, story, items, flag } = manners;
  return {
    CLIENT_ID: client,
    ...usersOf(users),
    API_KEY: apiKey,
    STORY_ID: story,
    OTHER_STORY_ID: otherStory(manners),
    OTHER_CLIENT_ID: otherClient(manners),
    STORED_ITEM_IDS: items.join(','),
    OTHER_USER_IDS: others.join(','),
    FLAG_KEY: flag[0],
    FLAG_VALUE: flag[1],
    FROM_CLIENT_ID: 'catalogue',
    TYPE_NAME: 'frame',
    TYPE_VERSION: '1.0',
    FRIEND_PROFILE_REQUEST: 'GET /v1/profile/{userId}',
  };
}
