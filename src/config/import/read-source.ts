import { basename, dirname, join } from 'node:path';
import { ConfigurationError } from '../configuration-error.ts';
import { shown } from '../files/file-trouble.ts';
import { fileRoles, isFolder, isThere, listFolder, readText } from '../files/index.ts';
import { mayBeSecret, parseVariables } from '../files/parse-variables.ts';
import { type BruBlock, bru, bruBlocks, bruContents } from './bruno.ts';
import { type Contents, type Format, looksLikeJson, parsedDocument, variable } from './document.ts';
import { brunoExport, curl, isCurl, openapi, postmanCollection, postmanEnvironment } from './formats.ts';

/** Larger than any export; its parts are kept several times while it is read. */
const LARGEST_BYTES = 20_000_000;
const LARGEST_BRU_BYTES = 1_000_000;
const role = fileRoles.imported;

export type Source = ReturnType<typeof textSource>;

/** Reads what can be imported: a file, the folder of a Bruno collection, or a curl command itself. @throws ConfigurationError, one line. */
export function readSource(source: string): Source {
  if (isCurl(source)) return textSource(source, 'The command');
  const path = source.trim().replace(/^~(?=\/)/, process.env.HOME ?? '~');
  const collection = brunoCollection(path);
  if (collection) return { kind: bru.kind, file: shown(path), contents: readBrunoFolder(collection) };
  if (isFolder(path, role) && isThere(join(path, 'opencollection.yml'), role))
    throw new ConfigurationError(
      `${shown(path)} is a Bruno collection in YAML, which can't be read. Export it from Bruno as a Postman collection.`,
    );
  if (isFolder(path, role))
    throw new ConfigurationError(
      `${shown(path)} is a folder, but not that of a Bruno collection: it has no bruno.json. Name a file.`,
    );
  return textSource(readText(path, role, LARGEST_BYTES), shown(path));
}

/** A text of any kind that `formats` has. @throws ConfigurationError when it is of no known kind. */
export function textSource(text: string, file: string) {
  if (/[\0\uFFFD]/.test(text)) throw new ConfigurationError(`${file} is not text in UTF-8. Save it as UTF-8.`);
  const document = parsedDocument(file, text);
  for (const { kind, read } of formats) {
    const contents = read(document);
    if (contents) return { kind, file, contents };
  }
  throw new ConfigurationError(
    `${file} is of no kind that can be imported: ${formats.map(({ kind }) => kind).join(', ')}.${document.trouble}`,
  );
}

/** A file of KEY=value lines, as applications have them. Last in the list: many a text has a line that looks like one. */
const lines: Format = {
  kind: 'KEY=value lines (.env)',
  read: ({ text }) => {
    if (looksLikeJson(text)) return undefined;
    // dotenv takes `key: value` as well, and so half of any YAML, such as `openapi: 3.1.0`.
    const named = new Set(Array.from(text.matchAll(/^\s*(?:export\s+)?([\w.-]+)\s*=/gm), ([, key]) => key));
    const entries = Object.entries(parseVariables(text)).filter(
      ([key, value]) => named.has(key) && !mayBeSecret(key, value),
    );
    if (entries.length === 0) return undefined;
    return { variables: entries.map(([key, value]) => variable(key, value)), requests: [] };
  },
};

/** Every kind of file that can be imported; the first that recognises a file reads it. */
const formats: readonly Format[] = [curl, postmanEnvironment, postmanCollection, brunoExport, openapi, bru, lines];

/** The folder of the Bruno collection that a path is, or is an environment of; `undefined` if it is neither. */
function brunoCollection(path: string): { readonly folder: string; readonly environment?: string } | undefined {
  if (isCollection(path)) return { folder: path };
  const above = dirname(dirname(path));
  const isEnvironment = basename(dirname(path)) === 'environments' && path.endsWith('.bru');
  return isEnvironment && isCollection(above) ? { folder: above, environment: path } : undefined;
}

/** A collection with one of its environments. @throws ConfigurationError if it has several, and none is named. */
function readBrunoFolder({ folder, environment }: { folder: string; environment?: string }): Contents {
  const files = listFolder(folder, role, true)
    .filter((name) => name.endsWith('.bru') && !/(^|[/\\])(\.|node_modules[/\\])/.test(name))
    .sort();
  const environments = files.filter((name) => dirname(name) === 'environments').map((name) => join(folder, name));
  if (environment === undefined && environments.length > 1)
    throw new ConfigurationError(
      `${shown(folder)} has several environments: ${environments.map((path) => basename(path)).join(', ')}. Import one of them: ${shown(environments[0] ?? '')}.`,
    );
  const chosen = environment ?? environments[0];
  const blocksAt = (path: string): BruBlock[] =>
    isThere(path, role) ? bruBlocks(readText(path, role, LARGEST_BRU_BYTES)) : [];
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
  return isFolder(path, role) && isThere(join(path, 'bruno.json'), role);
}
