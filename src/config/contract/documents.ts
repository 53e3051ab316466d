import { dirname, isAbsolute, join, relative, sep } from 'node:path';
import { decoded, parsedJson } from '../../client/index.ts';
import { type FileRole, fileRoles, readText, readTextIfAny, realPath } from '../files/index.ts';
import { shown } from '../files/shown.ts';
import { parseYaml } from '../yaml.ts';
import { DocumentTrouble, type OpenFile, Place } from './place.ts';

/** Of all files of a document together, in characters; a larger one takes minutes. */
const MOST_CHARACTERS = 20_000_000;
const MOST_FILES = 1_000;

const role: FileRole = fileRoles.openApi;

/** An OpenAPI document with the files that it refers to, each read when it is needed. */
export class Documents {
  readonly #main: string;
  readonly #folder: string;
  readonly #texts = new Map<string, string>();
  readonly #values = new Map<string, unknown>();
  readonly #paths = new Set<string>();
  #characters = 0;

  /** @throws FileTrouble, DocumentTrouble */
  constructor(path: string) {
    this.#paths.add(path);
    this.#main = realPath(path, role);
    this.#folder = dirname(this.#main);
    this.#read(this.#main);
  }

  /** Whether the files that were read are still what they were. */
  isCurrent(): boolean {
    return [...this.#texts].every(([file, text]) => readTextIfAny(file, role) === text);
  }

  /** Every file that was looked for, found or not. */
  get paths(): ReadonlySet<string> {
    return this.#paths;
  }

  get root(): Place {
    return this.#top(this.#main);
  }

  #top(file: string, from?: Place, reference?: string): Place {
    const open: OpenFile = (path, at, to) => this.#top(path === '' ? at.file : this.#fileOf(path, to, at), at, to);
    return new Place(open, file, this.#read(file, from, reference));
  }

  #fileOf(path: string, reference: string, from: Place): string {
    const refused = (why: string) => from.trouble(`its $ref ${JSON.stringify(reference.slice(0, 200))} ${why}`);
    if (/^(?!file:)[a-z][a-z0-9+.-]+:|^\/\//i.test(path))
      throw refused('is a network address, which is never fetched; put a copy beside the document');
    if (path.startsWith('file:')) throw refused('is an address of a file; write it as a relative path');
    const wanted = join(isAbsolute(path) ? '' : dirname(from.file), decoded(path));
    // Before anything is looked for: not even whether a file outside exists may show.
    if (!isWithin(wanted, this.#folder)) throw refused(outside(this.#folder));
    this.#paths.add(wanted);
    const file = realPath(wanted, role);
    if (!isWithin(file, this.#folder)) throw refused(outside(this.#folder));
    return file;
  }

  #read(file: string, from?: Place, reference?: string): unknown {
    if (this.#values.has(file)) return this.#values.get(file);
    const name = from ? from.name : shown(file);
    if (this.#texts.size >= MOST_FILES) throw new DocumentTrouble(name, `refers to more than ${MOST_FILES} files`);
    const text = readText(file, role, MOST_CHARACTERS);
    this.#characters += text.length;
    if (this.#characters > MOST_CHARACTERS)
      throw new DocumentTrouble(name, `with ${reference} it has more than ${MOST_CHARACTERS} characters`);
    const value = parseDocument(text, shown(file));
    this.#texts.set(file, text);
    this.#values.set(file, value);
    return value;
  }
}

function outside(folder: string): string {
  return `leads out of the document's folder (${shown(folder) || folder}); put a copy in there, or bundle the document into one file`;
}

function isWithin(file: string, folder: string): boolean {
  const way = relative(folder, file);
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** The value of a JSON or YAML text; `name` is its file, for messages. @throws DocumentTrouble */
function parseDocument(text: string, name: string): unknown {
  try {
    // JSON is YAML too, whose parser is slower but knows the line of a mistake.
    const json = parsedJson(text);
    if (json !== undefined) return json;
    const parsed = parseYaml(text);
    if ('value' in parsed) return parsed.value;
    const { problem, cure, line } = parsed;
    throw new DocumentTrouble(line === undefined ? name : `${name} line ${line}`, `${problem}; ${cure}`);
  } catch (error) {
    if (error instanceof RangeError) throw new DocumentTrouble(name, 'is nested too deeply; correct it');
    throw error;
  }
}
