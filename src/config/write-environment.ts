import { basename } from 'node:path';
import type { Redacted } from '../client/index.ts';
import { areaIds, areas } from '../spec/index.ts';
import { ConfigurationError } from './configuration-error.ts';
import { shown } from './files/file-trouble.ts';
import { FileTrouble, fileRoles, isLink, isThere, replaceText } from './files/index.ts';
import { variableLine } from './files/parse-variables.ts';
import { environmentFiles, environmentsFolder } from './folder.ts';
import type { KeyEntry } from './keys/check-keys.ts';
import { type KeyName, keys, requiredKeys } from './keys/keys.ts';

export interface WriteOptions {
  /** Where the variables came from, for the first line: `Imported from qa.json.` */
  readonly origin: string;
  readonly force?: boolean;
  readonly folder?: string;
}

export interface Variables {
  readonly values: ReadonlyMap<string, string>;
  readonly secrets: ReadonlyMap<string, string>;
}

/** Returns the paths. @throws ConfigurationError when a file is there and `force` is not given, or is a link: then none is written. */
export function writeEnvironment(name: string, variables: Variables, options: WriteOptions): string[] {
  const { force = false, folder = environmentsFolder() } = options;
  const paths = environmentFiles(name, folder);
  const text = environmentText(variables.values, basename(paths.secret), options);
  const own = { path: paths.own, role: fileRoles.environment, text, mode: undefined };
  const secret = { path: paths.secret, role: fileRoles.secrets, text: lines(variables.secrets), mode: 0o600 };
  // Secrets first: without them the other file is of no use.
  const files = variables.secrets.size > 0 ? [secret, own] : [own];
  const taken = files.filter(({ path, role }) => isThere(path, role)).map(({ path }) => shown(path));
  if (taken.length > 0 && !force) {
    throw new ConfigurationError(
      `Nothing was written: ${taken.join(' and ')} already exist${taken.length === 1 ? 's' : ''}. Choose another --name, or use --force to replace ${taken.length === 1 ? 'it' : 'them'}.`,
    );
  }
  for (const { path, role } of files)
    if (isLink(path, role))
      throw new FileTrouble(path, role, 'is a symbolic link, which could lead secrets elsewhere', 'Remove it');
  // The one place that secrets are written to.
  for (const { path, role, text, mode } of files) replaceText(path, text as Redacted, role, { mode });
  return [own, ...files.filter((file) => file !== own)].map(({ path }) => shown(path));
}

function lines(entries: Iterable<readonly [string, string]>): string {
  return [...entries].map(([key, value]) => variableLine(key, value) ?? '').join('');
}

const addresses: readonly KeyName[] = areaIds.map((area) => areas[area].addressKey);

/** The keys that a new file offers even where they have no value; all others follow only if they are set. */
const groups: readonly { readonly title: string; readonly keys: readonly KeyName[] }[] = [
  { title: 'Addresses; the paths of the specification (/v1/…) begin below them', keys: addresses },
  {
    title: 'Caller and application: the headers of every request',
    keys: requiredKeys.filter((key) => !addresses.some((address) => address === key)),
  },
  {
    title: 'Test data; a scenario that lacks its data is skipped with the reason',
    keys: [
      'FRIEND_USER_ID',
      'OTHER_USER_IDS',
      'OTHER_CLIENT_ID',
      'BLOCK_LIST_SEGMENTS',
      'REPORT_LANGUAGE',
      'REPORT_LANGUAGES',
      'STORY_ID',
      'OTHER_STORY_ID',
      'FLAG_KEY',
      'FLAG_VALUE',
      'FROM_CLIENT_ID',
      'TYPE_NAME',
      'TYPE_VERSION',
      'STORED_ITEM_IDS',
      'FRIEND_PROFILE_REQUEST',
      'PROVISION_URL',
    ],
  },
  { title: 'Effects that may be sent; docs/safety.md describes each', keys: ['ALLOWED_EFFECTS'] },
  {
    title: 'How responses are judged',
    keys: ['OPENAPI', 'SUCCESS_WHEN', 'CONSISTENCY_TIMEOUT_MS', 'REQUEST_TIMEOUT_MS', 'SLOW_AFTER_MS'],
  },
];

/** The text of an environment's file: every key below a comment with its meaning, those without a value commented out. */
function environmentText(values: ReadonlyMap<string, string>, secretFile: string, { origin }: WriteOptions): string {
  const given = new Map([['ALLOWED_EFFECTS', 'read'], ...values]);
  const block = (key: KeyName) => keyBlock(key, given.get(key));
  const missing = requiredKeys.filter((key) => !given.has(key));
  const offered = new Set<string>(groups.flatMap((group) => group.keys));
  const others = (Object.keys(keys) as KeyName[]).filter((key) => given.has(key) && !offered.has(key));
  const sections = groups.map((group) => [`# ${group.title}.`, ...group.keys.map(block)].join('\n'));
  if (others.length > 0) sections.push(['# Others.', ...others.map(block)].join('\n'));
  return [
    // A line break in a file name would start a new line.
    `# ${origin.replace(/\p{Cc}/gu, '?')} docs/environments.md describes each key, and those that are not here.`,
    `# Secrets do not belong in this file: they are in ${secretFile}, which git ignores, or in the process environment.`,
    ...(missing.length > 0 ? [`# Still missing: ${missing.join(', ')}.`] : []),
    ...sections.flatMap((section) => ['', section]),
    '',
  ].join('\n');
}

function keyBlock(key: KeyName, value: string | undefined): string {
  const line = value === undefined ? undefined : variableLine(key, value)?.trimEnd();
  const { fallback = '' }: KeyEntry = keys[key];
  return [`# ${keyComment(key)}`, line ?? `# ${key}=${fallback}`].join('\n');
}

/** A key's meaning, and what counts when it is absent. */
function keyComment(key: KeyName): string {
  const { meaning, required, fallback }: KeyEntry = keys[key];
  if (required) return `${meaning} (required)`;
  return fallback ? `${meaning} (default: ${fallback})` : meaning;
}
