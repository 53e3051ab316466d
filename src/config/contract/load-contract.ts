import type { Contract, SpecifiedOperation } from '../../client/index.ts';
import { type AreaId, type CallableId, type Operation, operation, operationIds } from '../../spec/index.ts';
import { DocumentTrouble } from './document-trouble.ts';
import type { OperationPlace } from './listed-operations.ts';
import { type LoadedDocument, loadDocument } from './loaded-document.ts';
import { type Listed, matchOperation } from './match-operations.ts';
import { specifiedOperation } from './specified-operation.ts';

/** The part of an environment that its contract depends on. */
export interface Held {
  readonly addresses: Readonly<Record<AreaId, URL>>;
  /** Operation 12, from FRIEND_PROFILE_REQUEST. */
  readonly readProfile?: Operation;
}

/** Paths of a document that a message shows. */
const SHOWN_PATHS = 3;

/**
 * The contract of an environment. An operation that several documents have is held to the first of them.
 * @throws ConfigurationError
 */
export function loadContract(paths: readonly string[], held: Held): Contract {
  const documents = paths.map(loadDocument);
  const operations = new Map<CallableId, SpecifiedOperation>();
  const unmatched: string[] = [];
  for (const wanted of wantedOf(held)) {
    const [found] = documents.flatMap((document) => {
      const listed = matchIn(document, wanted, held);
      return listed ? [specifiedOperation(listed, document)] : [];
    });
    if (found) operations.set(wanted.id as CallableId, found);
    else unmatched.push(`${wanted.id} (${wanted.method} ${wanted.path})`);
  }
  if (operations.size === 0) throw nothingMatches(documents);
  for (const document of documents) document.assertValid();
  return {
    documents: documents.map(({ name }) => name),
    operations,
    unmatched,
    files: documents.flatMap((document) => [...document.documents.texts.keys()]),
  };
}

/** The operations that a document may have: the fourteen, and `readProfile`. */
function wantedOf({ readProfile }: Held): Operation[] {
  return [...operationIds.map(operation), ...(readProfile ? [readProfile] : [])];
}

function matchIn(
  { operations }: LoadedDocument,
  { method, path, area }: Operation,
  { addresses }: Held,
): Listed<OperationPlace> | undefined {
  const prefix = decodeURI(addresses[area].pathname.replace(/\/$/, ''));
  return matchOperation({ method, path: path.replace(/\?.*$/, ''), prefix }, operations);
}

/** A contract that holds nothing would be a green that proves nothing. */
function nothingMatches(documents: readonly LoadedDocument[]): DocumentTrouble {
  const paths = documents.flatMap(({ operations }) => operations.map(({ method, path }) => `${method} ${path}`));
  const shown = paths.length === 0 ? 'none' : paths.slice(0, SHOWN_PATHS).join(', ');
  const { method, path } = operation('block');
  return new DocumentTrouble(
    documents.map(({ name }) => name).join(', '),
    `has none of the fourteen operations, e.g. ${method} ${path}; it has ${shown}${paths.length > SHOWN_PATHS ? ' …' : ''}. Correct its paths or servers, or name another document`,
  );
}
