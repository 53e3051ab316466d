import { ConfigurationError } from './configuration-error.ts';
import { fileRoles, isThere } from './files/index.ts';
import { refuseLink, replaceUnredacted } from './files/safe-file.ts';
import { shown } from './files/shown.ts';
import { environmentFiles, environmentsFolder } from './folder.ts';
import type { Imported } from './import-variables.ts';
import { keys } from './keys.ts';
import { variableLine } from './variable-line.ts';

export interface WriteOptions {
  /** Where the variables came from, for a comment. */
  readonly from: string;
  readonly force?: boolean;
  readonly folder?: string;
}

/**
 * Writes an environment's file, and its secrets into the file that git ignores and only its owner may read; gives their paths.
 * Neither is written through a symbolic link.
 * @throws ConfigurationError when one is there already and `force` isn't given: then neither is written.
 */
export function writeEnvironment(name: string, imported: Imported, options: WriteOptions): string[] {
  const { from, force = false, folder = environmentsFolder() } = options;
  const paths = environmentFiles(name, folder);
  const own = { path: paths.own, role: fileRoles.environment, text: ownText(imported, from), mode: undefined };
  const secret = { path: paths.secret, role: fileRoles.secrets, text: lines(imported.secrets), mode: 0o600 };
  // Secrets first: without them the other file is of no use.
  const files = imported.secrets.size > 0 ? [secret, own] : [own];
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

function ownText({ values }: Imported, from: string): string {
  const missing = Object.entries(keys).filter(([key, { required }]) => required && !values.has(key));
  const inOrder = Object.keys(keys).flatMap((key) => {
    const value = values.get(key);
    return value === undefined ? [] : ([[key, value]] as const);
  });
  return [
    // A line break in a file name would start a new line.
    `# Imported from ${from.replace(/\p{Cc}/gu, '?')}. docs/environments.md describes each key.`,
    lines(inOrder).trimEnd(),
    ...(missing.length > 0
      ? ['# Still missing:', ...missing.map(([key, { meaning }]) => `# ${key}=  ${meaning}`)]
      : []),
    ...(values.has('ALLOWED_EFFECTS')
      ? []
      : ['# Effects that may be sent. Read docs/safety.md before allowing more.', 'ALLOWED_EFFECTS=read']),
    '',
  ].join('\n');
}

function lines(entries: Iterable<readonly [string, string]>): string {
  return [...entries].map(([key, value]) => variableLine(key, value) ?? '').join('');
}
