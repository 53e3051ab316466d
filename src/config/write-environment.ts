import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { ConfigurationError } from './configuration-error.ts';
import { environmentFiles, environmentsFolder, shown } from './folder.ts';
import type { Imported } from './import-variables.ts';
import { keys } from './keys.ts';

export interface WriteOptions {
  /** Where the variables came from, for a comment. */
  readonly from: string;
  readonly force?: boolean;
  readonly folder?: string;
}

/**
 * Writes an environment's file, and its secrets into the file that git ignores; gives their paths.
 * @throws ConfigurationError when one is there already and `force` isn't given: then neither is written.
 */
export function writeEnvironment(name: string, imported: Imported, options: WriteOptions): string[] {
  const { from, force = false, folder = environmentsFolder() } = options;
  if (!/^[a-z0-9][a-z0-9-]*$/i.test(name))
    throw new ConfigurationError(
      `${JSON.stringify(name)} is not a valid environment name: use letters, digits and hyphens.`,
    );
  const paths = environmentFiles(name, folder);
  const files = [{ path: paths.own, mode: 0o644, text: ownText(imported, from) }];
  if (imported.secrets.size > 0) files.push({ path: paths.secret, mode: 0o600, text: lines(imported.secrets) });
  const taken = files.map(({ path }) => path).filter((path) => existsSync(path));
  if (taken.length > 0 && !force) {
    throw new ConfigurationError(
      `Nothing was written: ${taken.map(shown).join(' and ')} already exist${taken.length === 1 ? 's' : ''}. Choose another --name, or use --force to replace ${taken.length === 1 ? 'it' : 'them'}.`,
    );
  }
  mkdirSync(folder, { recursive: true });
  for (const { path, mode, text } of files) writeFileSync(path, text, { mode });
  return files.map(({ path }) => shown(path));
}

function ownText({ values }: Imported, from: string): string {
  const missing = Object.entries(keys).filter(([key, { required }]) => required && !values.has(key));
  const inOrder = Object.keys(keys).flatMap((key) => {
    const value = values.get(key);
    return value === undefined ? [] : ([[key, value]] as const);
  });
  return [
    `# Imported from ${from}. docs/environments.md describes each key.`,
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
  return [...entries].map(([key, value]) => `${key}=${quoted(value)}\n`).join('');
}

/** As dotenv reads it back: quotes where a space, a # or a quote would be misread. */
function quoted(value: string): string {
  if (/^[\w.:/,@{}=+~%&?;*!-]*$/.test(value)) return value;
  const quote = ["'", '"', '`'].find((each) => !value.includes(each));
  return `${quote ?? "'"}${value}${quote ?? "'"}`;
}
