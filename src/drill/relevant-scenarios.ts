import { basename, dirname } from 'node:path';
import type { Scenario } from '../run/index.ts';
import { readTags } from '../scenario/index.ts';
import { type CallableId, callable, type Operation, operation, operationIds } from '../service/index.ts';

/** Folders whose specs are generated operation by operation; their titles begin with the operation's id. */
const generatedFolders = new Set(['auth', 'robustness']);

const foldersAboutHeaders = new Set(['scenarios', 'auth']);

/**
 * The scenarios that can detect a change of an operation: those of its area and those of all areas. Of the generated specs, only those of
 * the operation itself. Robustness specs and model tests send correct headers, so they can't detect a change of the header checks.
 */
export function relevant(
  scenarios: readonly Scenario[],
  changed: CallableId | 'all',
  isAboutHeaders = false,
): Scenario[] {
  if (changed === 'all') return [...scenarios];
  const entry = callable(changed);
  return scenarios.filter(({ title, details, file }) => {
    const { area } = readTags(title, details.tag);
    const folder = basename(dirname(file));
    if (isAboutHeaders && !foldersAboutHeaders.has(folder)) return false;
    return (
      (area === entry.area || area === 'all') &&
      (!generatedFolders.has(folder) || isSameRequest(title.split(' ')[0], entry))
    );
  });
}

type Requested = Pick<Operation, 'id'> & Partial<Pick<Operation, 'method' | 'path'>>;

/** Whether two operations have the same request, as rows 11 and 12 of the specification do. */
export function isSameRequest(id: string | undefined, { id: own, method, path }: Requested): boolean {
  const other = operationIds.find((known) => known === id);
  return id === own || (other !== undefined && operation(other).method === method && operation(other).path === path);
}
