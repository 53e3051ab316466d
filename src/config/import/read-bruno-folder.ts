import { statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { ConfigurationError } from '../configuration-error.ts';
import { fileRoles, guarded, isThere, listFolder, readText, readTextIfAny } from '../files/index.ts';
import { shown } from '../files/shown.ts';
import type { Contents, SeenRequest } from './document.ts';
import { type BruBlock, bruBlocks, bruRequest, bruVariables, secretsElsewhere } from './formats/bruno.ts';

/** More than any collection has, so that a folder that is none ends soon. */
const MOST_FILES = 5_000;
const DEEPEST = 12;
const LARGEST_BYTES = 1_000_000;

const role = fileRoles.imported;

/** The folder of the Bruno collection that a path is, or is an environment of; `undefined` if it is neither. */
export function brunoCollection(path: string): { readonly folder: string; readonly environment?: string } | undefined {
  if (isCollection(path)) return { folder: path };
  const above = dirname(dirname(path));
  const isEnvironment = basename(dirname(path)) === 'environments' && path.endsWith('.bru');
  return isEnvironment && isCollection(above) ? { folder: above, environment: path } : undefined;
}

/**
 * A collection with one of its environments.
 * @throws ConfigurationError if it has several, and none is named.
 */
export function readBrunoFolder({ folder, environment }: { folder: string; environment?: string }): Contents {
  const environments = join(folder, 'environments');
  const all = listFolder(environments, role).filter((name) => name.endsWith('.bru'));
  if (environment === undefined && all.length > 1)
    throw new ConfigurationError(
      `${shown(folder)} has several environments: ${all.sort().join(', ')}. Import one of them: ${join(shown(environments), all[0] ?? '')}.`,
    );
  const chosen = environment ?? (all[0] === undefined ? undefined : join(environments, all[0]));
  const own = chosen === undefined ? [] : blocksOf(chosen);
  const secrets = own.filter(({ name }) => name === 'vars:secret').flatMap(({ names }) => names);
  const collection = blocksIfAny(join(folder, 'collection.bru'));
  const requests: SeenRequest[] = [];
  let left = MOST_FILES;
  const visit = (at: string, inherited: readonly BruBlock[], depth: number) => {
    for (const name of listFolder(at, role).sort()) {
      const path = join(at, name);
      if (left-- <= 0) return;
      if (isFolder(path)) {
        const isOurs = !name.startsWith('.') && !['node_modules', 'environments'].includes(name);
        if (isOurs && depth < DEEPEST) visit(path, [...inherited, ...blocksIfAny(join(path, 'folder.bru'))], depth + 1);
      } else if (name.endsWith('.bru') && !['collection.bru', 'folder.bru'].includes(name)) {
        const request = bruRequest(blocksOf(path), inherited);
        if (request) requests.push(request);
      }
    }
  };
  visit(folder, collection, 0);
  return {
    name: chosen === undefined ? basename(folder) : basename(chosen, '.bru'),
    variables: [...bruVariables(own), ...bruVariables(collection)],
    requests,
    ignored: secretsElsewhere(secrets),
  };
}

function isCollection(path: string): boolean {
  return isFolder(path) && isThere(join(path, 'bruno.json'), role);
}

export function isFolder(path: string): boolean {
  return guarded(path, role, 'read', () => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false);
}

function blocksOf(path: string): BruBlock[] {
  return bruBlocks(readText(path, role, LARGEST_BYTES));
}

function blocksIfAny(path: string): BruBlock[] {
  return bruBlocks(readTextIfAny(path, role, LARGEST_BYTES) ?? '');
}
