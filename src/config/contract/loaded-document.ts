import { fileRoles, readTextIfAny } from '../files/index.ts';
import { CompiledSchemas } from './compile-schemas.ts';
import { DocumentTrouble } from './document-trouble.ts';
import { Documents } from './documents.ts';
import { listedOperations, type OperationPlace } from './listed-operations.ts';
import type { Listed } from './match-operations.ts';
import { type Direction, SchemaBook } from './schema-book.ts';

/** An OpenAPI document with its operations and schemas. */
export class LoadedDocument {
  readonly documents: Documents;
  /** As messages name it. */
  readonly name: string;
  readonly operations: readonly Listed<OperationPlace>[];
  readonly books: Readonly<Record<Direction, SchemaBook>>;
  readonly #compiled = new Map<Direction, { readonly size: number; readonly schemas: CompiledSchemas }>();

  /** @throws ConfigurationError */
  constructor(path: string) {
    this.documents = new Documents(path);
    this.name = this.documents.name(this.documents.root);
    const version = versionOf(this.documents, this.name);
    this.operations = listedOperations(this.documents);
    this.books = {
      request: new SchemaBook(this.documents, version, 'request'),
      response: new SchemaBook(this.documents, version, 'response'),
    };
  }

  /** The schemas that have been added so far. */
  compiled(direction: Direction): CompiledSchemas {
    const { definitions } = this.books[direction];
    const known = this.#compiled.get(direction);
    if (known?.size === definitions.length) return known.schemas;
    const schemas = new CompiledSchemas(definitions, this.documents);
    this.#compiled.set(direction, { size: definitions.length, schemas });
    return schemas;
  }

  /** @throws DocumentTrouble unless each schema that has been added is one. */
  assertValid(): void {
    for (const direction of ['request', 'response'] as const) this.compiled(direction).assertValid();
  }

  /** Whether its files are still what they were. */
  isCurrent(): boolean {
    return [...this.documents.texts].every(([file, text]) => readTextIfAny(file, fileRoles.openApi) === text);
  }
}

const loaded = new Map<string, LoadedDocument>();

/** The document of a path, loaded once for as long as its files stay the same. @throws ConfigurationError */
export function loadDocument(path: string): LoadedDocument {
  const known = loaded.get(path);
  if (known?.isCurrent()) return known;
  const read = new LoadedDocument(path);
  loaded.set(path, read);
  return read;
}

/** The files of a document, as far as they are known from the last time that it was loaded. */
export function filesOfDocument(path: string): readonly string[] {
  return [...(loaded.get(path)?.documents.paths ?? [path])];
}

function versionOf(documents: Documents, name: string): '3.0' | '3.1' {
  const { value } = documents.member(documents.root, 'openapi');
  const version = String(value);
  if (/^3\.0(\.|$)/.test(version)) return '3.0';
  if (/^3\.[12](\.|$)/.test(version)) return '3.1';
  const { value: swagger } = documents.member(documents.root, 'swagger');
  if (swagger !== undefined)
    throw new DocumentTrouble(name, `is Swagger ${JSON.stringify(swagger)}; convert it to OpenAPI 3.0 or 3.1`);
  throw new DocumentTrouble(name, "isn't an OpenAPI document; expected e.g. openapi: 3.1.0 at its top");
}
