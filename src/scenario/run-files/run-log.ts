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

/** The runs that are all in this process. */
const own = new Set<string>();
/** Their lines by file, and those of others that could not be written: then this process is the whole run. */
const kept = new Map<string, string[]>();

/** Keeps what is logged of a run in memory, until it is forgotten: it has no other process. */
export function keepRunHere(runId: string): void {
  own.add(runId);
}

/** Whether a run has no other process. */
export function isRunHere(runId: string): boolean {
  return own.has(runId);
}

/** The log of one kind of entries, a file of lines in the run's folder; kept in memory for a run of this process alone, and where nothing can be written. */
export function runLog<T>(runId: string, environment: string, kind: string): Log<T> {
  const name = hash('sha256', environment).slice(0, 24);
  const file = join(runFolder(runId), `${kind}-${name}`);
  const keep = (line: string) => kept.set(file, [...(kept.get(file) ?? []), line]);
  return {
    all: () => {
      const shared = own.has(runId) ? undefined : unlessFileTrouble(() => readTextIfAny(file, fileRoles.output));
      const lines = [...(shared?.split('\n') ?? []), ...(kept.get(file) ?? [])];
      return lines.map(parsedJson).filter((entry) => entry !== undefined) as T[];
    },
    add: (entry) => {
      const line = redact(`${JSON.stringify(entry)}\n`);
      if (own.has(runId)) return void keep(line);
      try {
        makeRunFolder(runId);
        // One short write: the lines of two processes don't mix.
        appendText(file, line, fileRoles.output);
      } catch (error) {
        if (!(error instanceof FileTrouble)) throw error;
        keep(line);
      }
    },
  };
}

/** How the waits for lists of all processes of a run ended. */
export function awaitedInRun(runId: string, environment: string): AwaitedChanges {
  return runLog(runId, environment, 'change-awaited');
}

/** Removes what a run left for its processes, when it has none any more. */
export function forgetRun(runId: string): void {
  const folder = runFolder(runId);
  for (const file of kept.keys()) if (file.startsWith(join(folder, '/'))) kept.delete(file);
  if (!own.delete(runId)) remove(folder, fileRoles.output);
}

/** Nothing of a run is of use to another one, so what is older than a day goes. */
const KEPT_MS = 24 * 3_600_000;

export function runFolder(runId: string): string {
  return join(outputFolder(), 'runs', encodeURIComponent(runId));
}

/** Makes the folder of a run, unless it is there; those of old runs are removed then. */
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
