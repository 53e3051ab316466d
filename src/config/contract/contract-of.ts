import { isAbsolute, join, resolve } from 'node:path';
import type { Contract } from '../../client/index.ts';
import { type AreaId, areaIds, areas } from '../../spec/index.ts';
import { ConfigurationError } from '../configuration-error.ts';
import { fileRoles, isThere } from '../files/index.ts';
import type { KeyProblem } from '../keys/check-keys.ts';
import type { Values } from '../keys/keys.ts';
import { pathList } from '../keys/values.ts';
import { present } from '../present.ts';
import { workFolder } from '../project-root.ts';
import { loadContract } from './load-contract.ts';
import { filesOfDocument } from './loaded-document.ts';

/** The contract that OPENAPI names, from the checked values of an environment's file in `folder`. */
export function contractOf(
  values: Partial<Values>,
  folder: string,
): { readonly contract?: Contract; readonly problems: readonly KeyProblem[] } {
  const { OPENAPI: paths, FRIEND_PROFILE_REQUEST: readProfile } = values;
  const addresses = areaIds.map((area) => [area, values[areas[area].addressKey]] as const);
  // Without its addresses an environment can't be used, and the document can't be matched.
  if (!paths || addresses.some(([, address]) => !address)) return { problems: [] };
  try {
    const held = {
      addresses: Object.fromEntries(addresses) as Record<AreaId, URL>,
      ...present({ readProfile }),
    };
    return {
      contract: loadContract(
        paths.map((path) => documentPath(path, folder)),
        held,
      ),
      problems: [],
    };
  } catch (error) {
    if (error instanceof ConfigurationError) return { problems: [{ key: 'OPENAPI', text: error.message }] };
    throw error;
  }
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
