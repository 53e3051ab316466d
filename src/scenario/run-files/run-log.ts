import { hash } from 'node:crypto';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { AwaitedChanges } from '../../call/index.ts';
import {
  appendText,
  FileTrouble,
  fileRoles,
  isThere,
  listFolder,
  makeFolder,
  readTextIfAny,
  remove,
  unlessFileTrouble,
} from '../../environment/files/index.ts';
import { parsedJson } from '../../http/index.ts';
import { redact } from '../../redaction/index.ts';
import type { Log } from '../../safety/index.ts';
import { outputFolder } from './output-folders.ts';

/** Ids of the runs that consist of this process alone. */
const runsOfProcess = new Set<string>();
/** Log lines in memory, by file: all lines of `runsOfProcess`, and lines of other runs that could not be written. */
const kept = new Map<string, string[]>();

/** Keeps the logs of a run in memory until `forgetRun`. For runs that consist of this process alone. */
export function keepRunHere(runId: string): void {
  runsOfProcess.add(runId);
}

/** Whether a run consists of this process alone. */
export function isRunHere(runId: string): boolean {
  return runsOfProcess.has(runId);
}

/**
 * The log of one kind of entries: a file of lines in the run's folder. It is kept in memory if the run has only this process, or if the file can't be
 * written.
 */
export function runLog<T>(runId: string, environment: string, kind: string): Log<T> {
  let path: string | undefined;
  // Found out only when it is needed, because most scenarios neither read nor write most of their logs.
  const logFile = () => {
    path ??= join(runFolder(runId), `${kind}-${hash('sha256', environment).slice(0, 24)}`);
    return path;
  };
  const keep = (line: string) => kept.set(logFile(), [...(kept.get(logFile()) ?? []), line]);
  return {
    all: () => {
      const file = logFile();
      const shared = runsOfProcess.has(runId)
        ? undefined
        : unlessFileTrouble(() => readTextIfAny(file, fileRoles.output));
      const lines = [...(shared?.split('\n') ?? []), ...(kept.get(file) ?? [])];
      return lines.map(parsedJson).filter((entry) => entry !== undefined) as T[];
    },
    add: (entry) => {
      const line = redact(`${JSON.stringify(entry)}\n`);
      if (runsOfProcess.has(runId)) return void keep(line);
      try {
        makeRunFolder(runId);
        // One short write, so that the lines of two processes don't mix.
        appendText(logFile(), line, fileRoles.output);
      } catch (error) {
        if (!(error instanceof FileTrouble)) throw error;
        keep(line);
      }
    },
  };
}

/**
 * The log of a run's waits for lists that lag behind, shared by its processes. For each wait, it says whether the list showed the change in time.
 */
export function awaitedInRun(runId: string, environment: string): AwaitedChanges {
  return runLog(runId, environment, 'change-awaited');
}

/** Removes the logs of a run that has ended. */
export function forgetRun(runId: string): void {
  const folder = runFolder(runId);
  for (const file of kept.keys()) if (file.startsWith(join(folder, '/'))) kept.delete(file);
  if (!runsOfProcess.delete(runId)) remove(folder, fileRoles.output);
}

/** The folder of a run is removed after this time, in ms, because no other run needs it. */
const KEPT_MS = 24 * 3_600_000;

export function runFolder(runId: string): string {
  return join(outputFolder(), 'runs', encodeURIComponent(runId));
}

/** Creates the folder of a run, unless it exists. After creating it, removes the folders of old runs. */
function makeRunFolder(runId: string): void {
  const folder = runFolder(runId);
  if (isThere(folder, fileRoles.output)) return;
  makeFolder(folder, fileRoles.output);
  const all = join(folder, '..');
  const now = Date.now();
  for (const name of listFolder(all, fileRoles.output)) {
    const path = join(all, name);
    const changed = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? now;
    if (now - changed > KEPT_MS) remove(path, fileRoles.output);
  }
}
