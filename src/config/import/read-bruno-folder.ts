import { readdirSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { ConfigurationError } from '../configuration-error.ts';
import { fileRoles, guarded, isThere, readText } from '../files/index.ts';
import { shown } from '../files/shown.ts';
import type { Contents } from './document.ts';
import { type BruBlock, bruBlocks, bruContents } from './formats/bruno.ts';

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
  const names = guarded(folder, role, 'read', () => readdirSync(folder, { recursive: true, encoding: 'utf8' }));
  const files = names.filter((name) => name.endsWith('.bru') && !/(^|[/\\])(\.|node_modules[/\\])/.test(name)).sort();
  const environments = files.filter((name) => dirname(name) === 'environments').map((name) => join(folder, name));
  if (environment === undefined && environments.length > 1)
    throw new ConfigurationError(
      `${shown(folder)} has several environments: ${environments.map((path) => basename(path)).join(', ')}. Import one of them: ${shown(environments[0] ?? '')}.`,
    );
  const chosen = environment ?? environments[0];
  const blocksAt = (path: string): BruBlock[] =>
    isThere(path, role) ? bruBlocks(readText(path, role, LARGEST_BYTES)) : [];
  const collection = blocksAt(join(folder, 'collection.bru'));
  /** The blocks of the folders that a file is in, the innermost first. */
  const inherited = (name: string): BruBlock[] =>
    dirname(name) === '.'
      ? collection
      : [...blocksAt(join(folder, dirname(name), 'folder.bru')), ...inherited(dirname(name))];
  const requests = files.filter(
    (name) => dirname(name) !== 'environments' && !['collection.bru', 'folder.bru'].includes(basename(name)),
  );
  return {
    name: chosen === undefined ? basename(folder) : basename(chosen, '.bru'),
    ...bruContents(
      [...(chosen === undefined ? [] : blocksAt(chosen)), ...collection],
      requests.map((name) => [...blocksAt(join(folder, name)), ...inherited(name)]),
    ),
  };
}

function isCollection(path: string): boolean {
  return isFolder(path) && isThere(join(path, 'bruno.json'), role);
}

export function isFolder(path: string): boolean {
  return guarded(path, role, 'read', () => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false);
}
