import { dirname, isAbsolute, join, relative, sep } from 'node:path';
import { type FileRole, fileRoles, readText, realPath } from '../files/index.ts';
import { shown } from '../files/shown.ts';
import { parseYaml } from '../yaml.ts';
import { decoded } from './decoded.ts';
import { DocumentTrouble } from './document-trouble.ts';

/** A value in a document, with its place: a file, and a JSON Pointer in it. */
export interface Place {
  readonly file: string;
  readonly pointer: string;
  readonly value: unknown;
}

/** Of all files of a document together, in characters; a larger one takes minutes. */
const MOST_CHARACTERS = 20_000_000;
const MOST_FILES = 1_000;
/** References to references. */
const MOST_STEPS = 100;

const role: FileRole = fileRoles.openApi;

/** An OpenAPI document with the files that it refers to, each read when it is needed. */
export class Documents {
  /** The document's own path. */
  readonly main: string;
  readonly #folder: string;
  readonly #texts = new Map<string, string>();
  readonly #values = new Map<string, unknown>();
  readonly #paths = new Set<string>();
  #characters = 0;

  /** @throws FileTrouble, DocumentTrouble */
  constructor(path: string) {
    this.#paths.add(path);
    this.main = realPath(path, role);
    this.#folder = dirname(this.main);
    this.#read(this.main);
  }

  /** The files that were read, by path, with their texts. */
  get texts(): ReadonlyMap<string, string> {
    return this.#texts;
  }

  /** Every file that was looked for, even in vain. */
  get paths(): ReadonlySet<string> {
    return this.#paths;
  }

  get root(): Place {
    return { file: this.main, pointer: '', value: this.#values.get(this.main) };
  }

  /** A member of a value; its value is `undefined` where there is none. */
  member({ file, pointer, value }: Place, name: string | number): Place {
    const key = String(name);
    const has = typeof value === 'object' && value !== null && Object.hasOwn(value, key);
    const escaped = key.replaceAll('~', '~0').replaceAll('/', '~1');
    const found = has ? (value as Readonly<Record<string, unknown>>)[key] : undefined;
    return { file, pointer: `${pointer}/${escaped}`, value: found };
  }

  /** The members of an object, or the entries of a list. */
  members(place: Place): [name: string, member: Place][] {
    const { value } = place;
    return typeof value === 'object' && value !== null
      ? Object.keys(value).map((name) => [name, this.member(place, name)])
      : [];
  }

  /** The place itself, or what its `$ref` leads to in the end. @throws DocumentTrouble */
  follow(place: Place): Place {
    let at = place;
    for (let steps = 0; steps < MOST_STEPS; steps++) {
      const reference = referenceOf(at.value);
      if (reference === undefined) return at;
      at = this.resolve(reference, at);
    }
    throw new DocumentTrouble(this.name(place), 'its $ref leads in a circle; let it end in a definition');
  }

  /** The place that a reference names. @throws DocumentTrouble */
  resolve(reference: string, from: Place): Place {
    const [path = '', fragment = ''] = reference.split(/#(.*)/s);
    const file = path === '' ? from.file : this.#fileOf(path, reference, from);
    const pointer = decoded(fragment);
    const root: Place = { file, pointer: '', value: this.#read(file, from, reference) };
    const found = pointer === '' || pointer.startsWith('/') ? this.#at(root, pointer) : this.#anchored(root, pointer);
    if (found?.value !== undefined) return found;
    throw new DocumentTrouble(this.name(from), `its $ref ${JSON.stringify(reference)} leads to nothing; correct it`);
  }

  /** A place as messages name it: `openapi.yaml#/paths/~1v1`. */
  name({ file, pointer }: Pick<Place, 'file' | 'pointer'>): string {
    return pointer === '' ? shown(file) : `${shown(file)}#${pointer}`;
  }

  #at(root: Place, pointer: string): Place {
    let at = root;
    for (const token of pointer.split('/').slice(1)) {
      const name = token.replaceAll('~1', '/').replaceAll('~0', '~');
      const next = this.member(at, name);
      // A pointer may lead through another reference.
      at = next.value === undefined && referenceOf(at.value) !== undefined ? this.member(this.follow(at), name) : next;
    }
    return at;
  }

  /** The schema with an `$anchor` of this name. */
  #anchored(root: Place, name: string): Place | undefined {
    const open = [root];
    const seen = new Set<unknown>();
    for (let at = open.pop(); at; at = open.pop()) {
      if (typeof at.value !== 'object' || seen.has(at.value)) continue;
      seen.add(at.value);
      const { $anchor, $dynamicAnchor } = (at.value ?? {}) as { $anchor?: unknown; $dynamicAnchor?: unknown };
      if ($anchor === name || $dynamicAnchor === name) return at;
      for (const [, member] of this.members(at)) open.push(member);
    }
    return undefined;
  }

  #fileOf(path: string, reference: string, from: Place): string {
    const refused = (why: string) =>
      new DocumentTrouble(this.name(from), `its $ref ${JSON.stringify(reference.slice(0, 200))} ${why}`);
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
    const name = from ? this.name(from) : shown(file);
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

/** The target of a reference; `undefined` if the value is none. */
export function referenceOf(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { $ref } = value as { readonly $ref?: unknown };
  return typeof $ref === 'string' ? $ref : undefined;
}

function outside(folder: string): string {
  return `leads out of the document's folder (${shown(folder) || folder}); put a copy in there, or bundle the document into one file`;
}

function isWithin(file: string, folder: string): boolean {
  const way = relative(folder, file);
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** The value of a JSON or YAML text; `name` is its file, for messages. @throws DocumentTrouble */
export function parseDocument(text: string, name: string): unknown {
  try {
    return parseJson(text) ?? ofYaml(text, name);
  } catch (error) {
    if (error instanceof RangeError) throw new DocumentTrouble(name, 'is nested too deeply; correct it');
    throw error;
  }
}

/** JSON is YAML too, whose parser is slower but knows the line of a mistake. */
function parseJson(text: string): unknown {
  if (!/^\s*[{[]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof RangeError) throw error;
    return undefined;
  }
}

function ofYaml(text: string, name: string): unknown {
  const parsed = parseYaml(text);
  if ('value' in parsed) return parsed.value;
  const { problem, cure, line } = parsed;
  throw new DocumentTrouble(line === undefined ? name : `${name} line ${line}`, `${problem}; ${cure}`);
}
