import { decoded } from '../../client/index.ts';
import { ConfigurationError } from '../configuration-error.ts';
import { shown } from '../files/shown.ts';

/** An OpenAPI document can't be used; one line: the place in it, what is wrong, what to do. */
export class DocumentTrouble extends ConfigurationError {
  constructor(place: string, problem: string) {
    super(`${place}: ${problem}.`);
  }
}

/** Opens the file that a reference leads to, and returns its top. @throws DocumentTrouble */
export type OpenFile = (path: string, from: Place, reference: string) => Place;

/** References to references. */
const MOST_STEPS = 100;

/** A value in a document, with its place: a file, and a JSON Pointer in it. */
export class Place {
  readonly #open: OpenFile;
  readonly file: string;
  readonly pointer: string;
  readonly value: unknown;

  constructor(open: OpenFile, file: string, value: unknown, pointer = '') {
    this.#open = open;
    this.file = file;
    this.value = value;
    this.pointer = pointer;
  }

  /** As messages name it: `openapi.yaml#/paths/~1v1`. */
  get name(): string {
    return nameOf(this.file, this.pointer);
  }

  /** The target of its `$ref`; `undefined` if it has none. */
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

  /** The members of an object, or the entries of a list. */
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
