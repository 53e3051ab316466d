import { decoded, parsedJson } from '../../http/index.ts';
import { ConfigurationError } from '../configuration-error.ts';
import { shown } from '../files/file-trouble.ts';
import { parseYaml } from '../yaml.ts';

/** The root of an OpenAPI document, which is one file in JSON or YAML. @throws DocumentTrouble */
export function parseDocument(text: string, path: string): Place {
  const name = shown(path);
  try {
    // The YAML parser could read JSON, too, but is slower. If JSON has a mistake, the YAML parser finds the line.
    const json = parsedJson(text);
    if (json !== undefined) return new Place(name, json);
    const parsed = parseYaml(text);
    if ('value' in parsed) return new Place(name, parsed.value);
    const { problem, cure, line } = parsed;
    throw new DocumentTrouble(line === undefined ? name : `${name} line ${line}`, `${problem}; ${cure}`);
  } catch (error) {
    if (error instanceof RangeError) throw new DocumentTrouble(name, 'is nested too deeply; correct it');
    throw error;
  }
}

/** An OpenAPI document can't be used. The message is one line: the place in the document, what is wrong, what to do. */
export class DocumentTrouble extends ConfigurationError {
  constructor(place: string, problem: string) {
    super(`${place}: ${problem}.`);
  }
}

/** Maximum length of a chain of `$ref`s, each of which leads to the next one. A longer chain is treated as a circle. */
const MOST_STEPS = 100;

/** A value in a document. `pointer` is the place of the value, a JSON Pointer. */
export class Place {
  readonly #file: string;
  readonly #root: Place;
  /** Only in the root: the schemas by their `$anchor`. Created when a reference first needs an anchor. */
  #anchors: ReadonlyMap<string, Place> | undefined;
  readonly pointer: string;
  readonly value: unknown;

  constructor(file: string, value: unknown, pointer = '', root?: Place) {
    this.#file = file;
    this.#root = root ?? this;
    this.value = value;
    this.pointer = pointer;
  }

  /** The place as messages name it: `openapi.yaml#/paths/~1v1`. */
  get name(): string {
    return this.pointer === '' ? this.#file : `${this.#file}#${this.pointer}`;
  }

  get reference(): string | undefined {
    const { $ref } = (this.value ?? {}) as { readonly $ref?: unknown };
    return typeof $ref === 'string' ? $ref : undefined;
  }

  /** A member of this value. If there is no such member, its value is `undefined`. */
  at(name: string): Place {
    const { value } = this;
    const has = typeof value === 'object' && value !== null && Object.hasOwn(value, name);
    const found = has ? (value as Readonly<Record<string, unknown>>)[name] : undefined;
    const escaped = name.replaceAll('~', '~0').replaceAll('/', '~1');
    return new Place(this.#file, found, `${this.pointer}/${escaped}`, this.#root);
  }

  entries(): [name: string, member: Place][] {
    const { value } = this;
    return typeof value === 'object' && value !== null ? Object.keys(value).map((name) => [name, this.at(name)]) : [];
  }

  members(): Place[] {
    return this.entries().map(([, member]) => member);
  }

  /** The place itself, or the place that its `$ref` finally leads to. @throws DocumentTrouble */
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
    const refused = (why: string) => this.trouble(`its $ref ${JSON.stringify(reference.slice(0, 200))} ${why}`);
    if (!reference.startsWith('#'))
      throw refused('leads to another file; bundle the document into one, e.g. with Redocly CLI');
    const pointer = decoded(reference.slice(1));
    if (!/^(\/|$)/.test(pointer)) {
      this.#root.#anchors ??= anchorsIn(this.#root);
      const anchored = this.#root.#anchors.get(pointer);
      if (!anchored) throw refused('leads to nothing; correct it');
      return anchored;
    }
    let at = this.#root;
    for (const token of pointer.split('/').slice(1)) {
      const name = token.replaceAll('~1', '/').replaceAll('~0', '~');
      const next = at.at(name);
      // If a place on the way is a reference and has no such member, look for the member where the reference leads.
      at = next.value === undefined && at.reference !== undefined ? at.followed().at(name) : next;
    }
    if (at.value === undefined || (at === this.#root && reference !== '#'))
      throw refused('leads to nothing; correct it');
    return at;
  }

  /** An error about this place, or about the more exact place that `pointer` names below it. */
  trouble(problem: string, pointer = ''): DocumentTrouble {
    return new DocumentTrouble(`${this.name}${pointer && this.pointer === '' ? '#' : ''}${pointer}`, problem);
  }
}

/** Every schema with an `$anchor` (JSON Schema 2020-12), the first one of each name. */
function anchorsIn(root: Place): ReadonlyMap<string, Place> {
  const placesById = new Map<string, Place>();
  // The values that were visited. Without this set the search might never end, because a YAML alias may refer to a value that contains the
  // alias.
  const seen = new Set<unknown>();
  const open = [root];
  for (let at = open.pop(); at; at = open.pop()) {
    if (seen.has(at.value)) continue;
    if (typeof at.value === 'object') seen.add(at.value);
    const { $anchor } = (at.value ?? {}) as { readonly $anchor?: unknown };
    if (typeof $anchor === 'string' && !placesById.has($anchor)) placesById.set($anchor, at);
    for (const member of at.members().reverse()) open.push(member);
  }
  return placesById;
}
