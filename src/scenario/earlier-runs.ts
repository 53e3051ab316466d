import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
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
    mkdirSync(own, { recursive: true });
    for (const name of worthKeeping)
      if (existsSync(files[name])) renameSync(files[name], join(own, basename(files[name])));
  }
  for (const name of [...worthKeeping, 'allureResults'] as const) rmSync(files[name], { recursive: true, force: true });
  if (!existsSync(earlier)) return;
  const runs = readdirSync(earlier).sort();
  for (const name of runs.slice(0, -KEPT)) rmSync(join(earlier, name), { recursive: true, force: true });
}
