interface ArgumentEntry {
  /** The key of the environment to which a team assigns a valid value. */
  readonly key: string;
  readonly noun: string;
}

/** Request fields and path parameters whose value must name something that exists in the environment (specification, parts 2 and 4). */
export const namedArguments = {
  storyId: { key: 'STORY_ID', noun: 'the story' },
  friendId: { key: 'FRIEND_USER_ID', noun: 'the user' },
  userId: { key: 'FRIEND_USER_ID', noun: 'the user' },
  key: { key: 'FLAG_KEY', noun: 'the flag' },
  FromClientId: { key: 'FROM_CLIENT_ID', noun: 'the client' },
  TypeName: { key: 'TYPE_NAME', noun: 'the type' },
  TypeVersion: { key: 'TYPE_VERSION', noun: 'the version' },
  language: { key: 'REPORT_LANGUAGE', noun: 'the language' },
  id: { key: 'STORED_ITEM_IDS', noun: 'the item' },
} as const satisfies Record<string, ArgumentEntry>;

export type NamingKey = (typeof namedArguments)[keyof typeof namedArguments]['key'];

export const userArguments: ReadonlySet<string> = new Set(
  Object.entries<ArgumentEntry>(namedArguments).flatMap(([name, { key }]) => (key === 'FRIEND_USER_ID' ? [name] : [])),
);
