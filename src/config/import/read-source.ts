import { statSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigurationError } from '../configuration-error.ts';
import { shown } from '../files/file-trouble.ts';
import { fileRoles, guarded, isThere, readText } from '../files/index.ts';
import { parseVariables } from '../files/parse-variables.ts';
import { type Contents, type Format, looksLikeJson, parsedDocument, variable } from './document.ts';
import { brunoExport, curl, isCurl, openapi, postmanCollection, postmanEnvironment } from './formats.ts';

/** Larger than any export; its parts are kept several times while it is read. */
const LARGEST_BYTES = 20_000_000;
const role = fileRoles.imported;

/** What was read, and from where. */
export interface Source {
  /** What was recognised, e.g. `a Postman environment`. */
  readonly kind: string;
  /** As messages name it. */
  readonly file: string;
  readonly contents: Contents;
}

/**
 * Reads what can be imported: a file, or a curl command itself.
 * @throws ConfigurationError, one line.
 */
export function readSource(source: string): Source {
  if (isCurl(source)) return textSource(source, 'The command');
  const path = source.trim().replace(/^~(?=\/)/, process.env.HOME ?? '~');
  const isFolder = guarded(path, role, 'read', () => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false);
  if (isFolder) {
    const isBruno = ['bruno.json', 'opencollection.yml'].some((file) => isThere(join(path, file), role));
    const cure = isBruno ? "It is Bruno's: export the collection from there as one file, and name that" : 'Name a file';
    throw new ConfigurationError(`${shown(path)} is a folder, and files alone are imported. ${cure}.`);
  }
  return textSource(readText(path, role, LARGEST_BYTES), shown(path));
}

/** A text of any kind that `formats` has. @throws ConfigurationError when it is of no known kind. */
export function textSource(text: string, file: string): Source {
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
    const entries = Object.entries(parseVariables(text)).filter(([key]) => named.has(key));
    if (entries.length === 0) return undefined;
    return { variables: entries.map(([key, value]) => variable(key, value)), requests: [] };
  },
};

/** Every kind of file that can be imported; the first that recognises a file reads it. */
const formats: readonly Format[] = [curl, postmanEnvironment, postmanCollection, brunoExport, openapi, lines];
