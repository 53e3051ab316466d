import { createHash } from 'node:crypto';
import { dirname, resolve } from 'node:path';
import { type FileRole, fileRoles, readTextIfAny } from '../../config/files/index.ts';
import {
  attempt,
  ConfigurationError,
  contractFiles,
  environmentFiles,
  environmentsFolder,
  parseVariables,
} from '../../config/index.ts';

export interface ConfigurationFiles {
  /** Names of the environments. */
  readonly environments: readonly string[];
  /** The file of settings; absent: none is used. */
  readonly settings?: string;
  readonly process: Readonly<Record<string, string | undefined>>;
}

/**
 * Changes with the content of every file that environments and settings are read from, those that `<KEY>_FILE` and OPENAPI name
 * too.
 */
export function fingerprintOf({ environments, settings, process }: ConfigurationFiles): string {
  const hash = createHash('sha256');
  const named = Object.entries(process).flatMap(([name, path]) =>
    isSecretFile(name, environments) ? [path ?? ''] : [],
  );
  const documents: string[] = [];
  const add = (path: string, role: FileRole): string => {
    const found = attempt(() => readTextIfAny(path, role) ?? '');
    // What can't be read is reported when it is loaded.
    const text = found instanceof ConfigurationError ? found.message : found;
    hash.update(`${path}\0${text}\0`);
    return text;
  };
  for (const name of environments) {
    const { own, secret } = environmentFiles(name);
    hash.update(`${name}\0`);
    const text = add(own, fileRoles.environment);
    named.push(...filesIn(text, own), ...filesIn(add(secret, fileRoles.secrets), secret));
    const { OPENAPI: paths } = parseVariables(text);
    if (paths) documents.push(...contractFiles(paths, environmentsFolder()));
  }
  if (settings !== undefined) named.push(...filesIn(add(settings, fileRoles.settings), settings));
  for (const path of named) add(path, fileRoles.secrets);
  for (const path of documents) add(path, fileRoles.openApi);
  return hash.digest('hex');
}

function isSecretFile(name: string, environments: readonly string[]): boolean {
  const prefixes = ['MONITOR', ...environments.map((each) => each.toUpperCase().replaceAll('-', '_'))];
  return name.endsWith('_FILE') && prefixes.some((prefix) => name.startsWith(`${prefix}_`));
}

function filesIn(text: string, file: string): string[] {
  const named = text.matchAll(/^\s*(?:export\s+)?\w+_FILE\s*=\s*["'`]?([^\s"'`#]+)/gm);
  return [...named].map(([, path = '']) => resolve(dirname(file), path));
}
