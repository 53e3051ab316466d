import { statSync } from 'node:fs';
import { join } from 'node:path';
import { fileRoles, listFolder, makeFolder, remove } from '../../config/files/index.ts';
import { outputFolder } from './output-folders.ts';

/** Nothing of a run is of use to another one, so what is older than a day goes. */
const KEPT_MS = 24 * 3_600_000;

/** The folder that the processes of one run share; it may not be there yet. */
export function runFolder(runId: string): string {
  return join(outputFolder(), 'runs', encodeURIComponent(runId));
}

/** Makes the folder of a run; those of old runs are removed. */
export function makeRunFolder(runId: string, now: number): string {
  const folder = runFolder(runId);
  const all = join(folder, '..');
  makeFolder(folder, fileRoles.output);
  for (const name of listFolder(all, fileRoles.output)) {
    const path = join(all, name);
    const changed = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? now;
    if (now - changed > KEPT_MS) remove(path, fileRoles.output);
  }
  return folder;
}
