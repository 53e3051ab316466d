import { RawBody } from '../client/index.ts';
import type { Environment } from '../config/index.ts';

/** A value from the environment in the arguments of a call. */
export interface Configured {
  readonly key: string;
  readonly value: string;
  /** Its noun, with an article. */
  readonly noun: string;
}

const nouns = {
  STORY_ID: 'the story',
  FRIEND_USER_ID: 'the user',
  OTHER_USER_IDS: 'the user',
  FLAG_KEY: 'the flag',
  FROM_CLIENT_ID: 'the client',
  TYPE_NAME: 'the type',
  TYPE_VERSION: 'the version',
  REPORT_LANGUAGE: 'the language',
  STORED_ITEM_IDS: 'the item',
} as const;

type Key = keyof typeof nouns;

/** The environment keys that a request field or a path parameter may take its value from. */
const keysByField: Readonly<Record<string, Key>> = {
  storyId: 'STORY_ID',
  friendId: 'FRIEND_USER_ID',
  userId: 'FRIEND_USER_ID',
  key: 'FLAG_KEY',
  FromClientId: 'FROM_CLIENT_ID',
  TypeName: 'TYPE_NAME',
  TypeVersion: 'TYPE_VERSION',
  language: 'REPORT_LANGUAGE',
  id: 'STORED_ITEM_IDS',
};

/** The fields that name another user. */
export const fieldsOfUsers: ReadonlySet<string> = new Set(
  Object.keys(keysByField).filter((field) => keysByField[field] === 'FRIEND_USER_ID'),
);

/** The values from the environment among a call's arguments: the team says that they are valid. The suite generates all others. */
export function configuredIn(environment: Environment, args: unknown): Configured[] {
  const given = args instanceof RawBody ? parsed(args.text) : args;
  if (typeof given !== 'object' || given === null) return [];
  return Object.entries(given).flatMap(([field, value]) => {
    const keys = [keysByField[field], fieldsOfUsers.has(field) ? ('OTHER_USER_IDS' as const) : undefined];
    const key = keys.find((each) => each && typeof value === 'string' && valuesOf(environment, each).includes(value));
    return key ? [{ key, value: String(value), noun: nouns[key] }] : [];
  });
}

function valuesOf({ data, friend, provisionUrl }: Environment, key: Key): readonly (string | undefined)[] {
  switch (key) {
    case 'STORY_ID':
      return [data.storyId];
    case 'FRIEND_USER_ID':
      // Provisioned users replace the environment's user.
      return provisionUrl ? [] : [friend.userId];
    case 'OTHER_USER_IDS':
      return provisionUrl ? [] : data.otherUserIds;
    case 'FLAG_KEY':
      return [data.flagKey];
    case 'FROM_CLIENT_ID':
      return [data.fromClientId];
    case 'TYPE_NAME':
      return [data.typeName];
    case 'TYPE_VERSION':
      return [data.typeVersion];
    case 'REPORT_LANGUAGE':
      return [data.reportLanguage];
    case 'STORED_ITEM_IDS':
      return data.storedItemIds;
  }
}

/** A body that was sent as it is may name them, too. */
function parsed(text = ''): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
