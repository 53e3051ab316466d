import { basename, dirname } from 'node:path';
import type { Scenario } from '../runner/index.ts';
import { readTags } from '../scenario/index.ts';
import { type CallableId, callable, operation, operationIds, readProfile } from '../spec/index.ts';

/** Folders whose specs are generated operation by operation; their titles begin with the operation's id. */
const generatedFolders = new Set(['auth', 'robustness']);

const foldersAboutHeaders = new Set(['scenarios', 'auth']);

/**
 * The scenarios that can detect a change of `changed`: those of its area, those of all areas, and of the generated ones
 * only its own. Robustness specs and model tests send correct headers, so they can't detect a change of the header
 * checks.
 */
export function relevant(
  scenarios: readonly Scenario[],
  changed: CallableId | 'all',
  isAboutHeaders = false,
): Scenario[] {
  if (changed === 'all') return [...scenarios];
  const { area } = callable(changed);
  const served = sameRequest(changed);
  return scenarios.filter(({ title, details, file }) => {
    const own = readTags(title, details.tag).area;
    if (own !== area && own !== 'all') return false;
    const folder = basename(dirname(file));
    if (isAboutHeaders && !foldersAboutHeaders.has(folder)) return false;
    return !generatedFolders.has(folder) || served.includes(title.split(' ')[0] ?? '');
  });
}

/** The operations that share one request: 11 and 12. */
function sameRequest(id: CallableId): string[] {
  if (id === readProfile.id) return [id];
  const { method, path } = operation(id);
  return operationIds.filter((other) => operation(other).method === method && operation(other).path === path);
}
