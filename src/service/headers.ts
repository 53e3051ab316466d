/**
 * The kind of a header. credential: a secret that authenticates the caller · id: identifies the caller · context: describes the app.
 */
export type HeaderKind = 'credential' | 'id' | 'context';

interface HeaderEntry {
  /** The name as the specification (part 5) writes it. Header names are case-insensitive. */
  readonly name: string;
  readonly kind: HeaderKind;
  readonly key: string;
  readonly meaning: string;
  /** The value must have a certain format. So if a service refuses an empty value, it may refuse only the wrong format. */
  readonly hasForm?: true;
}

/** All headers of the header sets, by lower-case name (specification, part 5). */
export const headers = {
  authorization: {
    name: 'Authorization',
    kind: 'credential',
    key: 'ACCESS_TOKEN',
    meaning: 'bearer token of the acting user',
  },
  'mm-client-id': { name: 'mm-client-id', kind: 'id', key: 'CLIENT_ID', meaning: 'id of the calling client' },
  'mm-user-id': { name: 'mm-user-id', kind: 'id', key: 'USER_ID', meaning: 'id of the acting user' },
  'mm-api-key': { name: 'mm-api-key', kind: 'credential', key: 'API_KEY', meaning: 'API key of the client' },
  'app-bundle': { name: 'app-bundle', kind: 'context', key: 'APP_BUNDLE', meaning: 'application bundle identifier' },
  'app-ver': {
    name: 'app-ver',
    kind: 'context',
    key: 'APP_VER',
    meaning: 'application version (numeric text)',
    hasForm: true,
  },
  'app-platform': { name: 'app-platform', kind: 'context', key: 'APP_PLATFORM', meaning: 'application platform code' },
  'app-lang': { name: 'app-lang', kind: 'context', key: 'APP_LANG', meaning: 'language code' },
  'app-env': { name: 'app-env', kind: 'context', key: 'APP_ENV', meaning: 'environment code' },
} as const satisfies Record<string, HeaderEntry>;

export type HeaderName = keyof typeof headers;

/** The complete headers of an operation (specification, part 5, the table's three rows). */
export const headerSets = {
  user: ['authorization', 'mm-client-id', 'mm-user-id'],
  apiKey: ['mm-client-id', 'mm-api-key'],
  flag: ['mm-client-id', 'mm-user-id', 'mm-api-key', 'app-bundle', 'app-ver', 'app-platform', 'app-lang', 'app-env'],
} as const satisfies Record<string, readonly HeaderName[]>;

export type HeaderSetId = keyof typeof headerSets;
