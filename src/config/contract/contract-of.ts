import { isAbsolute, join, resolve } from 'node:path';
import type { Contract, SpecifiedOperation } from '../../client/index.ts';
import { type AreaId, areaIds, areas, type CallableId } from '../../spec/index.ts';
import { attempt, ConfigurationError } from '../configuration-error.ts';
import { fileRoles, isThere } from '../files/index.ts';
import type { KeyProblem } from '../keys/check-keys.ts';
import type { Values } from '../keys/keys.ts';
import { pathList } from '../keys/values.ts';
import { present } from '../present.ts';
import { workFolder } from '../project-root.ts';
import { filesOfDocument, loadDocument } from './loaded-document.ts';
import { type Held, matchedOperations } from './matched-operations.ts';
import { specifiedOperation } from './specified-operation.ts';

/** The contract that OPENAPI names, from the checked values of an environment's file in `folder`. */
export function contractOf(
  values: Partial<Values>,
  folder: string,
): { readonly contract?: Contract; readonly problems: readonly KeyProblem[] } {
  const { OPENAPI: paths, FRIEND_PROFILE_REQUEST: readProfile } = values;
  const addresses = areaIds.map((area) => [area, values[areas[area].addressKey]] as const);
  // Without its addresses an environment can't be used, and the document can't be matched.
  if (!paths || addresses.some(([, address]) => !address)) return { problems: [] };
  const held = { addresses: Object.fromEntries(addresses) as Record<AreaId, URL>, ...present({ readProfile }) };
  const found = attempt(() =>
    loadContract(
      paths.map((path) => documentPath(path, folder)),
      held,
    ),
  );
  if (found instanceof ConfigurationError) return { problems: [{ key: 'OPENAPI', text: found.message }] };
  return { contract: found, problems: [] };
}

/** The files of the documents that OPENAPI names, a text of comma-separated paths in an environment's file in `folder`. */
export function contractFiles(openApi: string, folder: string): string[] {
  const checked = pathList(openApi);
  const paths = 'value' in checked ? checked.value : [];
  return paths.flatMap((path) => filesOfDocument(documentPath(path, folder)));
}

/** Where a path leads: from the environment's file, or from the project if nothing is there. */
function documentPath(path: string, folder: string): string {
  if (isAbsolute(path)) return path;
  const near = join(folder, path);
  return isThere(near, fileRoles.openApi) ? near : resolve(workFolder, path);
}

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
