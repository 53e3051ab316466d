import { RawBody } from '../client/index.ts';
import type { Environment } from '../config/index.ts';
import { type NamingKey, namedArguments } from '../spec/index.ts';

/** A value from the environment in the arguments of a call. */
export interface Configured {
  readonly key: string;
  readonly value: string;
  /** Its noun, with an article. */
  readonly noun: string;
}

/** The values from the environment among a call's arguments: the team says that they are valid. The suite generates all others. */
export function configuredIn(environment: Environment, args: unknown): Configured[] {
  const given = args instanceof RawBody ? parsed(args.text) : args;
  if (typeof given !== 'object' || given === null) return [];
  return Object.entries(given).flatMap(([field, value]) => {
    if (!(field in namedArguments) || typeof value !== 'string') return [];
    const { key, noun } = namedArguments[field as keyof typeof namedArguments];
    return valuesOf(environment, key).includes(value) ? [{ key, value, noun }] : [];
  });
}

function valuesOf({ data, friend, provisionUrl }: Environment, key: NamingKey): readonly (string | undefined)[] {
  switch (key) {
    case 'STORY_ID':
      return [data.storyId];
    case 'FRIEND_USER_ID':
      // Provisioned users replace the environment's user.
      return provisionUrl ? [] : [friend.userId];
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
