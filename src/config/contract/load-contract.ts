import type { Contract, SpecifiedOperation } from '../../client/index.ts';
import type { CallableId } from '../../spec/index.ts';
import { loadDocument } from './loaded-document.ts';
import { type Held, matchedOperations } from './matched-operations.ts';
import { specifiedOperation } from './specified-operation.ts';

/**
 * The contract of an environment. An operation that several documents have is held to the first of them.
 * @throws ConfigurationError
 */
export function loadContract(paths: readonly string[], held: Held): Contract {
  const documents = paths.map(loadDocument);
  const operations = new Map<CallableId, SpecifiedOperation>();
  const unmatched: string[] = [];
  for (const { wanted, found } of matchedOperations(documents, held))
    if (found) operations.set(wanted.id as CallableId, specifiedOperation(found.listed, found.document));
    else unmatched.push(`${wanted.id} (${wanted.method} ${wanted.path})`);
  for (const document of documents) document.assertValid();
  return { documents: documents.map(({ name }) => name), operations, unmatched };
}
