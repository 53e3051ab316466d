import { decoded } from '../../client/index.ts';
import { type AreaId, type Operation, type OperationId, operation, operationIds } from '../../spec/index.ts';
import { counted } from '../counted.ts';
import type { ListedOperation, LoadedDocument } from './loaded-document.ts';
import { matchOperation } from './match-operations.ts';
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
  readonly found?: { readonly document: LoadedDocument; readonly listed: ListedOperation };
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
    const [found] = documents.flatMap((document) => {
      const listed = matchOperation({ method, path: path.replace(/\?.*$/, ''), prefix }, document.operations);
      return listed ? [{ document, listed }] : [];
    });
    return { wanted, ...(found ? { found } : {}) };
  });
  if (matched.every(({ found }) => !found)) throw nothingMatches(documents);
  return matched;
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
