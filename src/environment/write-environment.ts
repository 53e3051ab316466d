import { basename } from 'node:path';
import type { Redacted } from '../redaction/index.ts';
import { ConfigurationError } from './configuration-error.ts';
import { shown } from './files/file-trouble.ts';
import { FileTrouble, fileRoles, isLink, isThere, replaceText } from './files/index.ts';
import { variableLine } from './files/parse-variables.ts';
import { environmentFiles, environmentsFolder } from './folder.ts';
import type { KeyEntry } from './keys/check-keys.ts';
import { type KeyName, keys, requiredKeys } from './keys/keys.ts';

export interface WriteOptions {
  /** The origin of the variables, for the first line of the file: `Imported from qa.json.` */
  readonly origin: string;
  readonly force?: boolean;
  readonly folder?: string;
}

export interface Variables {
  readonly values: ReadonlyMap<string, string>;
  readonly secrets: ReadonlyMap<string, string>;
}

/**
 * Writes the files of an environment and returns their paths.
 * @throws ConfigurationError if a file exists and `force` isn't set, or if a file is a link. Then no file is written.
 */
export function writeEnvironment(name: string, variables: Variables, options: WriteOptions): string[] {
  const { force = false, folder = environmentsFolder() } = options;
  const paths = environmentFiles(name, folder);
  const text = environmentText(variables.values, basename(paths.secret), options);
  const environmentFile = { path: paths.own, role: fileRoles.environment, text, mode: undefined };
  const secretLines = [...variables.secrets].map(([key, value]) => variableLine(key, value) ?? '');
  const secret = { path: paths.secret, role: fileRoles.secrets, text: secretLines.join(''), mode: 0o600 };
  // The file with the secrets is written first, because the environment can't be used without it.
  const files = variables.secrets.size > 0 ? [secret, environmentFile] : [environmentFile];
  const taken = files.filter(({ path, role }) => isThere(path, role)).map(({ path }) => shown(path));
  if (taken.length > 0 && !force) {
    throw new ConfigurationError(
      `Nothing was written: ${taken.join(' and ')} already exist${taken.length === 1 ? 's' : ''}. Choose another --name, or use --force to replace ${taken.length === 1 ? 'it' : 'them'}.`,
    );
  }
  for (const { path, role } of files)
    if (isLink(path, role))
      throw new FileTrouble(path, role, 'is a symbolic link, which could lead secrets elsewhere', 'Remove it');
  // The cast to `Redacted` is allowed only here, because this is the only code that writes secrets to a file.
  for (const { path, role, text, mode } of files) replaceText(path, text as Redacted, role, { mode });
  return [environmentFile, ...files.filter((file) => file !== environmentFile)].map(({ path }) => shown(path));
}

/** The text of an environment's file: each key below a comment with its meaning. Required keys without a value are commented out. */
function environmentText(values: ReadonlyMap<string, string>, secretFile: string, { origin }: WriteOptions): string {
  const given = new Map([['ALLOWED_EFFECTS', 'read'], ...values]);
  const written = (Object.keys(keys) as KeyName[]).filter((key) => given.has(key) || requiredKeys.includes(key));
  const missing = requiredKeys.filter((key) => !given.has(key));
  return [
    // `origin` may contain a file name. A line break in it would end the comment.
    `# ${origin.replace(/\p{Cc}/gu, '?')} docs/reference/keys.md describes each key, those of test data and others that are not here, too.`,
    `# Secrets do not belong in this file: they are in ${secretFile}, which git ignores, or in the process environment.`,
    ...(missing.length > 0 ? [`# Still missing: ${missing.join(', ')}.`] : []),
    ...written.map((key) => keyBlock(key, given.get(key))),
    '',
  ].join('\n');
}

function keyBlock(key: KeyName, value: string | undefined): string {
  const { meaning, required, fallback }: KeyEntry = keys[key];
  const absent = required ? ' (required)' : fallback ? ` (default: ${fallback})` : '';
  const line = value === undefined ? undefined : variableLine(key, value)?.trimEnd();
  return [`# ${meaning}${absent}`, line ?? `# ${key}=`].join('\n');
}
