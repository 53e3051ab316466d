import { dirname, isAbsolute, join, relative, sep } from 'node:path';
import { decoded, parsedJson } from '../../client/index.ts';
import { ConfigurationError } from '../configuration-error.ts';
import { shown } from '../files/file-trouble.ts';
import { type FileRole, fileRoles, readText, readTextIfAny, realPath } from '../files/index.ts';
import { parseYaml } from '../yaml.ts';

/** Of all files of a document together, in characters; a larger one takes minutes. */
const MOST_CHARACTERS = 20_000_000;
const MOST_FILES = 1_000;

const role: FileRole = fileRoles.given;

/** An OpenAPI document with the files that it refers to, each read when it is needed. @throws FileTrouble, DocumentTrouble */
export function documentsOf(path: string) {
  const main = realPath(path, role);
  const folder = dirname(main);
  const files = new Map<string, { readonly text: string; readonly value: unknown }>();
  /** Every file that was looked for, found or not. */
  const paths = new Set([path]);
  let characters = 0;

  function fileOf(path: string, reference: string, from: Place): string {
    const refused = (why: string) => from.trouble(`its $ref ${JSON.stringify(reference.slice(0, 200))} ${why}`);
    if (/^(?!file:)[a-z][a-z0-9+.-]+:|^\/\//i.test(path))
      throw refused('is a network address, which is never fetched; put a copy beside the document');
    if (path.startsWith('file:')) throw refused('is an address of a file; write it as a relative path');
    const wanted = join(isAbsolute(path) ? '' : dirname(from.file), decoded(path));
    // Before anything is looked for: not even whether a file outside exists may show.
    if (!isWithin(wanted, folder)) throw refused(outside(folder));
    paths.add(wanted);
    const file = realPath(wanted, role);
    if (!isWithin(file, folder)) throw refused(outside(folder));
    return file;
  }

  /** `name` is what leads to the file, for messages. */
  function topOf(file: string, name: string, reference?: string): Place {
    const known = files.get(file);
    if (known) return new Place(open, file, known.value);
    if (files.size >= MOST_FILES) throw new DocumentTrouble(name, `refers to more than ${MOST_FILES} files`);
    const text = readText(file, role, MOST_CHARACTERS);
    characters += text.length;
    if (characters > MOST_CHARACTERS)
      throw new DocumentTrouble(name, `with ${reference} it has more than ${MOST_CHARACTERS} characters`);
    const value = parseDocument(text, shown(file));
    files.set(file, { text, value });
    return new Place(open, file, value);
  }

  const open: Open = (path, from, reference) =>
    topOf(path === '' ? from.file : fileOf(path, reference, from), from.name, reference);
  const isCurrent = () => [...files].every(([file, { text }]) => readTextIfAny(file, role) === text);
  return { root: topOf(main, shown(main)), paths: paths as ReadonlySet<string>, isCurrent };
}

/** Gives the top of the file that a reference leads to. @throws DocumentTrouble */
type Open = (path: string, from: Place, reference: string) => Place;

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

/** An OpenAPI document can't be used; one line: the place in it, what is wrong, what to do. */
export class DocumentTrouble extends ConfigurationError {
  constructor(place: string, problem: string) {
    super(`${place}: ${problem}.`);
  }
}

/** References to references. */
const MOST_STEPS = 100;

/** A value in a document, with its place: a file, and a JSON Pointer in it. */
export class Place {
  readonly #open: Open;
  readonly file: string;
  readonly pointer: string;
  readonly value: unknown;

  constructor(open: Open, file: string, value: unknown, pointer = '') {
    this.#open = open;
    this.file = file;
    this.value = value;
    this.pointer = pointer;
  }

  /** As messages name it: `openapi.yaml#/paths/~1v1`. */
  get name(): string {
    return nameOf(this.file, this.pointer);
  }

  get reference(): string | undefined {
    const { $ref } = (this.value ?? {}) as { readonly $ref?: unknown };
    return typeof $ref === 'string' ? $ref : undefined;
  }

  /** A member; its value is `undefined` where there is none. */
  at(name: string): Place {
    const { value } = this;
    const has = typeof value === 'object' && value !== null && Object.hasOwn(value, name);
    const found = has ? (value as Readonly<Record<string, unknown>>)[name] : undefined;
    const escaped = name.replaceAll('~', '~0').replaceAll('/', '~1');
    return new Place(this.#open, this.file, found, `${this.pointer}/${escaped}`);
  }

  entries(): [name: string, member: Place][] {
    const { value } = this;
    return typeof value === 'object' && value !== null ? Object.keys(value).map((name) => [name, this.at(name)]) : [];
  }

  members(): Place[] {
    return this.entries().map(([, member]) => member);
  }

  /** The place itself, or what its `$ref` leads to in the end. @throws DocumentTrouble */
  followed(): Place {
    let at: Place = this;
    for (let steps = 0; steps < MOST_STEPS; steps++) {
      const { reference } = at;
      if (reference === undefined) return at;
      at = at.resolve(reference);
    }
    throw this.trouble('its $ref leads in a circle; let it end in a definition');
  }

  /** The place that a reference names. @throws DocumentTrouble */
  resolve(reference: string): Place {
    const [path = '', fragment = ''] = reference.split(/#(.*)/s);
    const root = this.#open(path, this, reference);
    const pointer = decoded(fragment);
    const found = pointer === '' || pointer.startsWith('/') ? along(root, pointer) : anchored(root, pointer);
    if (found?.value !== undefined) return found;
    throw this.trouble(`its $ref ${JSON.stringify(reference)} leads to nothing; correct it`);
  }

  /** `pointer` leads on from here, to a more exact place. */
  trouble(problem: string, pointer = ''): DocumentTrouble {
    return new DocumentTrouble(nameOf(this.file, this.pointer + pointer), problem);
  }
}

function nameOf(file: string, pointer: string): string {
  return pointer === '' ? shown(file) : `${shown(file)}#${pointer}`;
}

function along(root: Place, pointer: string): Place {
  let at = root;
  for (const token of pointer.split('/').slice(1)) {
    const name = token.replaceAll('~1', '/').replaceAll('~0', '~');
    const next = at.at(name);
    // A pointer may lead through another reference.
    at = next.value === undefined && at.reference !== undefined ? at.followed().at(name) : next;
  }
  return at;
}

/** The schema with an `$anchor` of this name. */
function anchored(root: Place, name: string): Place | undefined {
  const open = [root];
  const seen = new Set<unknown>();
  for (let at = open.pop(); at; at = open.pop()) {
    if (typeof at.value !== 'object' || seen.has(at.value)) continue;
    seen.add(at.value);
    const { $anchor, $dynamicAnchor } = (at.value ?? {}) as { $anchor?: unknown; $dynamicAnchor?: unknown };
    if ($anchor === name || $dynamicAnchor === name) return at;
    open.push(...at.members());
  }
  return undefined;
}
