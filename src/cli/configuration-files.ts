import { createHash } from 'node:crypto';
import { type FileRole, FileTrouble, fileRoles, readTextIfAny } from '../config/files/index.ts';
import { environmentFiles } from '../config/index.ts';

export interface ConfigurationFiles {
  /** Names of the environments. */
  readonly environments: readonly string[];
  /** The file of settings; absent: none is used. */
  readonly settings?: string;
  readonly process: Readonly<Record<string, string | undefined>>;
}

/** Changes with the content of every file that environments and settings are read from, those that `<KEY>_FILE` names too. */
export function fingerprintOf({ environments, settings, process }: ConfigurationFiles): string {
  const hash = createHash('sha256');
  const named = Object.entries(process).flatMap(([name, path]) =>
    isSecretFile(name, environments) ? [path ?? ''] : [],
  );
  const add = (path: string, role: FileRole): string => {
    const text = contentOf(path, role);
    hash.update(`${path}\0${text}\0`);
    return text;
  };
  for (const name of environments) {
    const { own, secret } = environmentFiles(name);
    hash.update(`${name}\0`);
    named.push(...filesIn(add(own, fileRoles.environment)), ...filesIn(add(secret, fileRoles.secrets)));
  }
  if (settings !== undefined) named.push(...filesIn(add(settings, fileRoles.settings)));
  for (const path of named) add(path, fileRoles.secrets);
  return hash.digest('hex');
}

function isSecretFile(name: string, environments: readonly string[]): boolean {
  const prefixes = ['MONITOR', ...environments.map((each) => each.toUpperCase().replaceAll('-', '_'))];
  return name.endsWith('_FILE') && prefixes.some((prefix) => name.startsWith(`${prefix}_`));
}

function filesIn(text: string): string[] {
  return [...text.matchAll(/^\s*(?:export\s+)?\w+_FILE\s*=\s*["'`]?([^\s"'`#]+)/gm)].map(([, path = '']) => path);
}

/** What can't be read is reported when it is loaded. */
function contentOf(path: string, role: FileRole): string {
  try {
    return readTextIfAny(path, role) ?? '';
  } catch (error) {
    if (error instanceof FileTrouble) return error.message;
    throw error;
  }
}
