import { decoded } from '../../client/index.ts';
import { type AreaId, type Operation, type OperationId, operation, operationIds } from '../../spec/index.ts';
import { counted } from '../counted.ts';
import type { ListedOperation, LoadedDocument } from './loaded-document.ts';
import { DocumentTrouble } from './place.ts';

/** The part of an environment by which a document's operations are found. */
export interface Held {
  readonly addresses: Readonly<Record<AreaId, URL>>;
  /** Operation 12, from FRIEND_PROFILE_REQUEST. */
  readonly readProfile?: Operation;
}

/** An operation of the specification, and where it was found. */
export interface Matched {
  readonly wanted: Operation;
  readonly found: ListedOperation | undefined;
}

/** Paths of a document that a message shows. */
const SHOWN_PATHS = 3;

/**
 * All operations, and `readProfile`, each in the first document that has it.
 * @throws DocumentTrouble when none of them is found: what holds nothing would be a green that proves nothing.
 */
export function matchedOperations(documents: readonly LoadedDocument[], held: Held): Matched[] {
  const { readProfile, addresses } = held;
  const matched = [...operationIds.map(operation), ...(readProfile ? [readProfile] : [])].map((wanted) => {
    const { method, path, area } = wanted;
    const prefix = decoded(addresses[area].pathname.replace(/\/$/, ''));
    const asked = { method, path: path.replace(/\?.*$/, ''), prefix };
    const [found] = documents.flatMap(({ operations }) => matchOperation(asked, operations) ?? []);
    return { wanted, found };
  });
  if (matched.every(({ found }) => !found)) throw nothingMatches(documents);
  return matched;
}

/** The ways to an operation of a document. */
type Listed = Pick<ListedOperation, 'method' | 'path' | 'bases'>;

/** An operation that is looked for. */
interface Wanted {
  readonly method: string;
  /** `/v1/friends/block/{n1}/{n2}`. */
  readonly path: string;
  /** The path of the environment's base address: `/api`, or empty. */
  readonly prefix: string;
}

/**
 * The document's operation for one that is looked for, by method and path; names of parameters don't count. A path below the
 * environment's prefix goes before one without it, and that before one with another prefix; a literal segment goes before a
 * parameter. `undefined` where there is none, or where two are equally good.
 */
export function matchOperation<T extends Listed>(wanted: Wanted, listed: readonly T[]): T | undefined {
  const ranked = listed
    .filter(({ method }) => method === wanted.method)
    .map((each) => ({ each, rank: Math.max(...['', ...each.bases].map((base) => rankOf(base + each.path, wanted))) }))
    .filter(({ rank }) => rank > 0)
    .sort((a, b) => b.rank - a.rank);
  const [best, second] = ranked;
  return best && best.rank !== second?.rank ? best.each : undefined;
}

/** Thousands for the kind of match, ones for its literal segments; 0 for none. */
function rankOf(path: string, { path: own, prefix }: Wanted): number {
  const given = segments(path);
  const [short, long] = [segments(own), segments(`${prefix}${own}`)];
  if (prefix !== '' && fits(given, long)) return 3_000 + literals(given);
  if (fits(given, short)) return 2_000 + literals(given);
  const rest = given.slice(given.length - short.length);
  return given.length > short.length && fits(rest, short) ? 1_000 + literals(rest) : 0;
}

function segments(path: string): string[] {
  return path
    .replace(/[?#].*$/s, '')
    .split('/')
    .filter(Boolean);
}

/** A parameter of the document stands for anything, a literal for itself. */
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
