import { decoded } from '../../http/index.ts';
import { type AreaId, type Operation, type OperationId, operation, operationIds } from '../../service/index.ts';
import { fileRoles, readText } from '../files/index.ts';
import { counted } from '../sentence-parts.ts';
import { DocumentTrouble, type Place, parseDocument } from './documents.ts';
import { type ListedOperation, listedOperations } from './listed-operations.ts';
import { SchemaBook } from './schema-book.ts';

export type LoadedDocument = ReturnType<typeof readDocument>;

/** @throws DocumentTrouble */
function readDocument(text: string, path: string) {
  const root = parseDocument(text, path);
  const version = versionOf(root);
  const books = { request: new SchemaBook(version, 'request'), response: new SchemaBook(version, 'response') };
  return { text, name: root.name, operations: listedOperations(root), books };
}

const loaded = new Map<string, LoadedDocument>();

/** Size limit of a document. Loading a larger document would take minutes. */
const MOST_BYTES = 20_000_000;

/** The document at a path. It is loaded only once, unless its text changes. @throws ConfigurationError */
export function loadDocument(path: string): LoadedDocument {
  const text = readText(path, fileRoles.given, MOST_BYTES);
  const known = loaded.get(path);
  if (known?.text === text) return known;
  const read = readDocument(text, path);
  loaded.set(path, read);
  return read;
}

/** Makes the next `loadDocument` read the document again. Call it after loading failed: then the document's schema books are incomplete. */
export function forgetDocument(path: string): void {
  loaded.delete(path);
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

/** The part of an environment that is needed to find its operations in a document. */
export interface Held {
  readonly addresses: Readonly<Record<AreaId, URL>>;
  /** Operation 12 of the specification, which reads a friend's profile. FRIEND_PROFILE_REQUEST gives its method and path. */
  readonly readProfile?: Operation;
}

const SHOWN_PATHS = 3;

/**
 * Finds each operation in the first document that has it. @throws DocumentTrouble if no operation is found: then there is nothing to check.
 */
export function matchedOperations(documents: readonly LoadedDocument[], { readProfile, addresses }: Held) {
  const matched = [...operationIds.map(operation), ...(readProfile ? [readProfile] : [])].map((wanted) => {
    const { method, path, area } = wanted;
    const prefix = decoded(addresses[area].pathname.replace(/\/$/, ''));
    const asked = { method, path: path.replace(/\?.*$/, ''), prefix };
    const [found] = documents.flatMap((document) => {
      const listed = matchOperation(asked, document.operations);
      return listed ? { listed, document } : [];
    });
    return { wanted, found };
  });
  if (matched.every(({ found }) => !found)) throw nothingMatches(documents);
  return matched;
}

/** An operation to find. `prefix` is the path of the environment's base address: `/api`, or empty. */
type Wanted = Readonly<Record<'method' | 'path' | 'prefix', string>>;

/**
 * Finds an operation in a document by method and path. Names of parameters are ignored. `undefined` if no path matches, or if two paths
 * match equally well. The best match is, in this order:
 * 1. a path that begins with the environment's prefix,
 * 2. a path without a prefix,
 * 3. a path with another prefix.
 * Of several paths of the same kind, the path with the most literal segments is the best match.
 */
export function matchOperation<T extends Pick<ListedOperation, 'method' | 'path' | 'bases'>>(
  wanted: Wanted,
  listed: readonly T[],
): T | undefined {
  const ranked = listed
    .filter(({ method }) => method === wanted.method)
    .map((each) => ({ each, rank: Math.max(...['', ...each.bases].map((base) => rankOf(base + each.path, wanted))) }))
    .filter(({ rank }) => rank > 0)
    .sort((a, b) => b.rank - a.rank);
  const [best, second] = ranked;
  return best && best.rank !== second?.rank ? best.each : undefined;
}

/** How well a path matches: thousands for the kind of match, plus the number of literal segments; 0 if the path doesn't match. */
function rankOf(path: string, { path: own, prefix }: Wanted): number {
  const given = segments(path);
  const [short, long] = [segments(own), segments(`${prefix}${own}`)];
  if (prefix !== '' && fits(given, long)) return 3_000 + literals(given);
  if (fits(given, short)) return 2_000 + literals(given);
  const rest = given.slice(given.length - short.length);
  return given.length > short.length && fits(rest, short) ? 1_000 + literals(rest) : 0;
}

const segments = (path: string) =>
  path
    .replace(/[?#].*$/s, '')
    .split('/')
    .filter(Boolean);

/** Whether segments match: a parameter of the document matches any segment, and a literal segment matches only the same text. */
function fits(given: readonly string[], own: readonly string[]): boolean {
  return given.length === own.length && given.every((each, index) => isParameter(each) || each === own[index]);
}

function literals(given: readonly string[]): number {
  return given.filter((each) => !isParameter(each)).length;
}

function isParameter(segment: string): boolean {
  return /^\{[^{}]*\}$/.test(segment);
}

function nothingMatches(documents: readonly LoadedDocument[]): DocumentTrouble {
  const paths = documents.flatMap(({ operations }) => operations.map(({ method, path }) => `${method} ${path}`));
  const shown = paths.length === 0 ? 'none' : paths.slice(0, SHOWN_PATHS).join(', ');
  const { method, path } = operation(operationIds[0] as OperationId);
  return new DocumentTrouble(
    documents.map(({ name }) => name).join(', '),
    `has none of the ${counted(operationIds.length, 'operation')}, e.g. ${method} ${path}; it has ${shown}${paths.length > SHOWN_PATHS ? ' …' : ''}. Correct its paths or servers, or name another document`,
  );
}
