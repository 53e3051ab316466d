import { basename, dirname, join } from 'node:path';
import { ConfigurationError } from '../../environment/configuration-error.ts';
import { fileRoles, isFolder, isThere, listFolder, readText } from '../../environment/files/index.ts';
import { lossesIn, mayBeSecret, parseVariables, parseYaml, shown } from '../../environment/index.ts';
import { bru, bruBlocks, bruEnvironment, bruFolder, bruItem, brunoCollection, brunoExport } from './bruno.ts';
import { curl, isCurl } from './curl.ts';
import { type Contents, type Format, Found, looksLikeJson, parsedDocument, variable } from './document.ts';
import { openapi, postmanCollection, postmanEnvironment } from './formats.ts';

/** Larger than any export; its parts are kept several times while it is read. */
const LARGEST_BYTES = 20_000_000;
const LARGEST_BRU_BYTES = 1_000_000;
const role = fileRoles.given;

export type Source = ReturnType<typeof textSource>;

/** Reads what can be imported: a file, the folder of a Bruno collection, or a curl command itself. @throws ConfigurationError, one line. */
export function readSource(source: string): Source {
  if (isCurl(source)) return textSource(source, 'The command');
  const path = source.trim().replace(/^~(?=\/)/, process.env.HOME ?? '~');
  const collection = collectionOf(path);
  if (collection) return { kind: bru.kind, file: shown(path), contents: readBrunoFolder(collection) };
  if (isFolder(path, role))
    throw new ConfigurationError(
      `${shown(path)} is a folder, but not that of a Bruno collection: it has no bruno.json or opencollection.yml. Name a file.`,
    );
  return textSource(readText(path, role, LARGEST_BYTES), shown(path));
}

function assertText(text: string, file: string): void {
  if (/[\0\uFFFD]/.test(text)) throw new ConfigurationError(`${file} is not text in UTF-8. Save it as UTF-8.`);
}

/** A text of any kind that `formats` has. @throws ConfigurationError when it is of no known kind. */
export function textSource(text: string, file: string) {
  assertText(text, file);
  const document = parsedDocument(file, text);
  for (const { kind, read } of formats) {
    const contents = read(document);
    if (contents) return { kind, file, contents };
  }
  if (/\bInvoke-(?:WebRequest|RestMethod)\b|\bfetch\(["'`]http/.test(text.slice(0, 10_000)))
    throw new ConfigurationError(`${file} is a request for PowerShell or for scripts. Copy it as cURL (bash).`);
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
    const losses = lossesIn(text);
    const isCut = (key: string) => losses.some((loss) => loss.key === key && loss.text.includes('#'));
    const entries = Object.entries(parseVariables(text)).filter(
      ([key, value]) => named.has(key) && !mayBeSecret(key, value),
    );
    if (entries.length === 0) return undefined;
    const whole = entries.filter(([key]) => !isCut(key));
    return {
      // Applications put variables into others.
      variables: whole.map(([key, value]) => variable(key, value.replace(/\$\{(\w+)\}/g, '{{$1}}'))),
      requests: [],
      ignored: losses.map((loss) => `line ${loss.line}, ${loss.key}: ${loss.text}`),
    };
  },
};

/** Every kind of file that can be imported; the first that recognises a file reads it. */
const formats: readonly Format[] = [postmanEnvironment, postmanCollection, brunoExport, openapi, bru, curl, lines];

/** The files that say what a folder is. */
const ROOTS = ['bruno.json', 'opencollection.yml'];
const isCollection = (path: string) => isFolder(path, role) && ROOTS.some((name) => isThere(join(path, name), role));

/** The folder of the Bruno collection that a path is, or is an environment of; `undefined` if it is neither. */
function collectionOf(path: string): { readonly folder: string; readonly environment?: string } | undefined {
  if (isCollection(path)) return { folder: path };
  const above = dirname(dirname(path));
  const isEnvironment = basename(dirname(path)) === 'environments' && /\.(bru|yml)$/.test(path);
  return isEnvironment && isCollection(above) ? { folder: above, environment: path } : undefined;
}

/** A collection with one of its environments. @throws ConfigurationError if it has several, and none is named. */
function readBrunoFolder({ folder, environment }: { folder: string; environment?: string }): Contents {
  const files = listFolder(folder, role, true)
    .filter((name) => /\.(bru|yml)$/.test(name) && !/(^|[/\\])(\.|node_modules[/\\])/.test(name))
    .sort();
  const isEnvironment = (name: string) => dirname(name) === 'environments';
  const environments = files.filter(isEnvironment).map((name) => join(folder, name));
  if (environment === undefined && environments.length > 1)
    throw new ConfigurationError(
      `${shown(folder)} has several environments: ${environments.map((path) => basename(path)).join(', ')}. Import one of them: ${shown(environments[0] ?? '')}.`,
    );
  const chosen = environment ?? environments[0];
  const root = treeOf(
    folder,
    files.filter((name) => !isEnvironment(name)),
  );
  const known = chosen === undefined ? [] : [new Found(environmentAt(chosen))];
  const contents = brunoCollection(new Found(root), known);
  return { ...contents, name: chosen === undefined ? basename(folder) : basename(chosen).replace(/\.\w+$/, '') };
}

type Item = { readonly name: string; readonly items: unknown[]; root?: unknown };

/** The files of a collection as one tree, as Bruno's export has it. */
function treeOf(folder: string, files: readonly string[]): Item {
  const folders = new Map<string, Item>();
  const itemOf = (name: string): Item => {
    const known = folders.get(name);
    if (known) return known;
    const item: Item = { name: basename(name), items: [] };
    folders.set(name, item);
    if (name !== '.') itemOf(dirname(name)).items.push(item);
    return item;
  };
  const root = itemOf('.');
  for (const name of files) {
    const parent = itemOf(dirname(name));
    const isSettings = ['folder', dirname(name) === '.' && 'collection', dirname(name) === '.' && 'opencollection'];
    const stem = basename(name).replace(/\.\w+$/, '');
    const text = brunoText(join(folder, name));
    const parsed = name.endsWith('.yml') ? yamlOf(text, join(folder, name)) : undefined;
    if (isSettings.includes(stem)) parent.root = parsed ?? bruFolder(bruBlocks(text));
    else parent.items.push(parsed ?? bruItem(bruBlocks(text), stem));
  }
  return root;
}

function environmentAt(path: string): unknown {
  const text = brunoText(path);
  return path.endsWith('.yml') ? yamlOf(text, path) : bruEnvironment('', bruBlocks(text));
}

function brunoText(path: string): string {
  const text = readText(path, role, LARGEST_BRU_BYTES);
  assertText(text, shown(path));
  return text;
}

/** @throws ConfigurationError for a text that is no YAML. */
function yamlOf(text: string, path: string): unknown {
  const yaml = parseYaml(text.replace(/^\uFEFF/, ''));
  if ('value' in yaml) return yaml.value;
  throw new ConfigurationError(`${shown(path)} is not YAML: ${yaml.problem}. ${yaml.cure}.`);
}
