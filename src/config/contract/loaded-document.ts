import { decoded, mediaType } from '../../client/index.ts';
import { Documents } from './documents.ts';
import type { Place } from './place.ts';
import { type Direction, SchemaBook } from './schema-book.ts';

/** An OpenAPI document with its operations and schemas. */
export class LoadedDocument {
  readonly documents: Documents;
  /** As messages name it. */
  readonly name: string;
  readonly operations: readonly ListedOperation[];
  readonly books: Readonly<Record<Direction, SchemaBook>>;

  /** @throws ConfigurationError */
  constructor(path: string) {
    this.documents = new Documents(path);
    const { root } = this.documents;
    this.name = root.name;
    const version = versionOf(root);
    this.operations = listedOperations(root, this);
    this.books = { request: new SchemaBook(version, 'request'), response: new SchemaBook(version, 'response') };
  }

  /** @throws DocumentTrouble unless each schema that has been added is one. */
  assertValid(): void {
    for (const book of Object.values(this.books)) book.assertValid();
  }
}

const loaded = new Map<string, LoadedDocument>();

/** The document of a path, loaded once for as long as its files stay the same. @throws ConfigurationError */
export function loadDocument(path: string): LoadedDocument {
  const known = loaded.get(path);
  if (known?.documents.isCurrent()) return known;
  const read = new LoadedDocument(path);
  loaded.set(path, read);
  return read;
}

/** The files of a document, as far as they are known from the last time that it was loaded. */
export function filesOfDocument(path: string): readonly string[] {
  return [...(loaded.get(path)?.documents.paths ?? [path])];
}

function versionOf(root: Place): '3.0' | '3.1' {
  const version = String(root.at('openapi').value);
  if (/^3\.0(\.|$)/.test(version)) return '3.0';
  if (/^3\.[12](\.|$)/.test(version)) return '3.1';
  const { value: swagger } = root.at('swagger');
  if (swagger !== undefined)
    throw root.trouble(`is Swagger ${JSON.stringify(swagger)}; convert it to OpenAPI 3.0 or 3.1`);
  throw root.trouble("isn't an OpenAPI document; expected e.g. openapi: 3.1.0 at its top");
}

/** What `of` makes of the schemas of a body, by media type; `undefined` where one has none. */
export function byMediaType<T>(content: Place, of: (schema: Place) => T): Map<string, T | undefined> {
  return new Map(
    content.entries().map(([type, media]) => {
      const schema = media.followed().at('schema');
      return [mediaType(type) ?? type, schema.value === undefined ? undefined : of(schema)];
    }),
  );
}

/** An operation of a document, with the path item that it is in. */
export interface ListedOperation {
  readonly document: LoadedDocument;
  /** In upper case. */
  readonly method: string;
  /** As the document has it, below its server: `/friends/block/{offset}`. */
  readonly path: string;
  /** The paths of its servers: `/v1`. */
  readonly bases: readonly string[];
  readonly item: Place;
  readonly operation: Place;
}

const methods = ['get', 'put', 'post', 'delete', 'patch', 'options', 'head', 'trace'];
/** Combinations of the values of a server's variables. */
const MOST_ADDRESSES = 50;

function listedOperations(root: Place, document: LoadedDocument): ListedOperation[] {
  return root
    .at('paths')
    .entries()
    .flatMap(([path, found]) => {
      const item = found.followed();
      return methods.flatMap((method) => {
        const operation = item.at(method).followed();
        if (typeof operation.value !== 'object' || operation.value === null) return [];
        const bases = basesOf([operation, item, root]);
        return [{ document, method: method.toUpperCase(), path, bases, item, operation }];
      });
    });
}

/** The paths of the servers of the innermost place that has some. */
function basesOf(places: readonly Place[]): string[] {
  for (const place of places) {
    const servers = place.at('servers').members();
    if (servers.length > 0) return [...new Set(servers.flatMap((server) => pathsOf(server.followed())))];
  }
  return [];
}

function pathsOf(server: Place): string[] {
  const { value: url } = server.at('url');
  if (typeof url !== 'string') return [];
  let addresses = [url];
  for (const [name, variable] of server.at('variables').entries()) {
    const { value: fallback } = variable.at('default');
    const others = variable
      .at('enum')
      .members()
      .map(({ value }) => value);
    const values = [fallback, ...others].filter((value) => value !== undefined).map(String);
    addresses = [...new Set(values)]
      .flatMap((value) => addresses.map((address) => address.replaceAll(`{${name}}`, value)))
      .slice(0, MOST_ADDRESSES);
  }
  return addresses.flatMap((address) => {
    // A server may be relative to the document.
    const found = URL.parse(address, 'http://document/');
    return found ? [decoded(found.pathname).replace(/\/+$/, '')] : [];
  });
}
