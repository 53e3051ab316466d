import { RawBody } from '../../call/index.ts';
import type { Environment } from '../../environment/index.ts';
import { parsedJson } from '../../http/index.ts';
import { namedArguments } from '../../service/index.ts';

const others: Readonly<Record<string, string>> = {
  FRIEND_USER_ID: 'OTHER_USER_IDS',
  STORY_ID: 'OTHER_STORY_ID',
  REPORT_LANGUAGE: 'REPORT_LANGUAGES',
};

/**
 * Finds the arguments of a call whose values the environment sets. Each result has the value, its key, and its noun for messages. The team
 * says that these values are valid. The suite generates all other values.
 */
export function configuredIn(environment: Environment, args: unknown) {
  // A raw body may contain values of the environment, too.
  const given = args instanceof RawBody ? parsedJson(args.text) : args;
  if (typeof given !== 'object' || given === null) return [];
  return Object.entries(given).flatMap(([field, value]) => {
    if (!(field in namedArguments) || typeof value !== 'string') return [];
    const { key: usual, noun } = namedArguments[field as keyof typeof namedArguments];
    const key = [usual, others[usual]].find((each) => each && valuesOf[each]?.(environment).includes(value));
    return key ? [{ key, value, noun }] : [];
  });
}

type ValuesOf = (environment: Environment) => readonly (string | undefined)[];

/** The values of the environment by key. Users are left out if a provisioner replaces them. */
const valuesOf: Readonly<Record<string, ValuesOf>> = {
  STORY_ID: ({ data }) => [data.storyId],
  OTHER_STORY_ID: ({ data }) => [data.otherStoryId],
  FRIEND_USER_ID: ({ provisionUrl, friend }) => (provisionUrl ? [] : [friend.userId]),
  OTHER_USER_IDS: ({ provisionUrl, data }) => (provisionUrl ? [] : data.otherUserIds),
  FLAG_KEY: ({ data }) => [data.flagKey],
  FROM_CLIENT_ID: ({ data }) => [data.fromClientId],
  TYPE_NAME: ({ data }) => [data.typeName],
  TYPE_VERSION: ({ data }) => [data.typeVersion],
  REPORT_LANGUAGE: ({ data }) => [data.reportLanguage],
  REPORT_LANGUAGES: ({ data }) => data.reportLanguages,
  STORED_ITEM_IDS: ({ data }) => data.storedItemIds,
};
