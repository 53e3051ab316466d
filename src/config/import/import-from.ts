import { join } from 'node:path';
import { attempt, ConfigurationError } from '../configuration-error.ts';
import { fileRoles, isThere, readText } from '../files/index.ts';
import { shown } from '../files/shown.ts';
import type { Variable } from './document.ts';
import { bru } from './formats/bruno.ts';
import { isCurl } from './formats/curl.ts';
import { type Imported, type ImportOptions, importContents, importVariables } from './import-variables.ts';
import type { Mapping } from './our-key.ts';
import { brunoCollection, isFolder, readBrunoFolder } from './read-bruno-folder.ts';

/** Larger than any export; its parts are kept several times while it is read. */
const LARGEST_BYTES = 20_000_000;

/**
 * Reads what can be imported: a file, the folder of a Bruno collection, or a curl command itself.
 * @throws ConfigurationError, one line.
 */
export function importFrom(source: string, mapping: Mapping = new Map(), others: Variable[] = []): Imported {
  const options: ImportOptions = { mapping, others };
  if (isCurl(source)) return importVariables(source, 'The command', options);
  const path = source.trim().replace(/^~(?=\/)/, process.env.HOME ?? '~');
  const collection = brunoCollection(path);
  if (collection) return importContents(readBrunoFolder(collection), { kind: bru.kind, file: shown(path), ...options });
  if (isFolder(path) && isThere(join(path, 'opencollection.yml'), fileRoles.imported))
    throw new ConfigurationError(
      `${shown(path)} is a Bruno collection in YAML, which can't be read. Export it from Bruno as a Postman collection.`,
    );
  if (isFolder(path))
    throw new ConfigurationError(
      `${shown(path)} is a folder, but not that of a Bruno collection: it has no bruno.json. Name a file.`,
    );
  return importVariables(readText(path, fileRoles.imported, LARGEST_BYTES), shown(path), options);
}

/**
 * Reads several sources as one: variables of each stand for `{{variables}}` in all, and earlier sources win.
 * @throws ConfigurationError for the first that can't be read.
 */
export function importAll(sources: readonly string[], mapping: Mapping = new Map()): Imported {
  const known: Variable[] = [];
  // A source may be of no use alone; its problems are reported below.
  for (const source of sources) attempt(() => importFrom(source, mapping, known));
  const all = sources.map((source) => importFrom(source, mapping, [...known]));
  const name = all.find((each) => each.name)?.name;
  return {
    kind: all.map(({ kind }) => kind).join(', '),
    ...(name ? { name } : {}),
    values: new Map(all.flatMap(({ values }) => [...values]).reverse()),
    secrets: new Map(all.flatMap(({ secrets }) => [...secrets]).reverse()),
    ignored: [...new Set(all.flatMap(({ ignored }) => ignored))],
  };
}
