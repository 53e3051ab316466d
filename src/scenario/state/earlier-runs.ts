import { renameSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileRoles, guarded, isThere, listFolder, makeFolder, remove } from '../../config/files/index.ts';
import { outputFiles, outputFolder } from './output-folders.ts';

/** Number of runs to keep: a report has some MB, and a few runs are enough to compare. */
const KEPT = 5;

/** The files of a run to keep: everything that a person would open. */
const worthKeeping = ['report', 'junit', 'summary', 'page', 'outcomes', 'run'] as const;

/**
 * Moves the last run's files to the earlier runs, and removes the oldest of those; deletes files that are useless
 * without their run.
 */
export function keepEarlierRun(folder = outputFolder()): void {
  const files = outputFiles(folder);
  const earlier = join(folder, 'earlier');
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
