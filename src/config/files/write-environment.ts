import { basename } from 'node:path';
import { ConfigurationError } from '../configuration-error.ts';
import { environmentFiles, environmentsFolder } from '../folder.ts';
import { environmentText } from './environment-text.ts';
import { fileRoles, isThere } from './index.ts';
import { variableLine } from './parse-variables.ts';
import { refuseLink, replaceUnredacted } from './safe-file.ts';
import { shown } from './shown.ts';

export interface WriteOptions {
  /** Where the variables came from, for the first line: `Imported from qa.json.` */
  readonly origin: string;
  readonly force?: boolean;
  readonly folder?: string;
  /** More about a key, for its comment. */
  readonly notes?: ReadonlyMap<string, string>;
}

/** The variables of an environment, by key. */
export interface Variables {
  readonly values: ReadonlyMap<string, string>;
  readonly secrets: ReadonlyMap<string, string>;
}

/**
 * Writes an environment's file, and its secrets into the file that git ignores and only its owner may read; gives their paths.
 * Neither is written through a symbolic link.
 * @throws ConfigurationError when one is there already and `force` isn't given: then neither is written.
 */
export function writeEnvironment(name: string, variables: Variables, options: WriteOptions): string[] {
  const { origin, force = false, folder = environmentsFolder(), notes } = options;
  const paths = environmentFiles(name, folder);
  const text = environmentText(variables.values, {
    origin,
    secretFile: basename(paths.secret),
    ...(notes ? { notes } : {}),
  });
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
  for (const { path, role } of files) refuseLink(path, role);
  for (const { path, role, text, mode } of files)
    replaceUnredacted(path, text, role, { refuseLink: true, ...(mode === undefined ? {} : { mode }) });
  return [own, ...files.filter((file) => file !== own)].map(({ path }) => shown(path));
}

function lines(entries: Iterable<readonly [string, string]>): string {
  return [...entries].map(([key, value]) => variableLine(key, value) ?? '').join('');
}
