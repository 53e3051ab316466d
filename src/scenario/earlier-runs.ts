import { renameSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileRoles, guarded, isThere, listFolder, makeFolder, remove } from '../config/files/index.ts';
import { outputFiles, outputFolder } from './output-folders.ts';

/** A report weighs some MB; with these the last few runs can still be compared. */
const KEPT = 5;

/** What is worth keeping of a run: everything a person would open. */
const worthKeeping = ['report', 'junit', 'summary', 'outcomes', 'run'] as const;

/** Where the runs before the last one are, a folder each, named by when they ended. */
function earlierRunsFolder(folder = outputFolder()): string {
  return join(folder, 'earlier');
}

/**
 * Moves what the last run left out of the way of the next one, and removes the oldest of those kept; what is of no use
 * without its run is removed.
 */
export function keepEarlierRun(folder = outputFolder()): void {
  const files = outputFiles(folder);
  const earlier = earlierRunsFolder(folder);
  const ended = statSync(files.summary, { throwIfNoEntry: false })?.mtime;
  if (ended) {
    const own = join(earlier, ended.toISOString().replaceAll(':', '-'));
    makeFolder(own, fileRoles.output);
    for (const name of worthKeeping)
      if (isThere(files[name], fileRoles.output))
        guarded(files[name], fileRoles.output, 'removed', () =>
          renameSync(files[name], join(own, basename(files[name]))),
        );
  }
  for (const name of [...worthKeeping, 'allureResults', 'calls'] as const) remove(files[name], fileRoles.output);
  const runs = listFolder(earlier, fileRoles.output).sort();
  for (const name of runs.slice(0, -KEPT)) remove(join(earlier, name), fileRoles.output);
}
