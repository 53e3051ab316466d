import { hash } from 'node:crypto';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { parsedJson, redact } from '../../client/index.ts';
import {
  appendText,
  FileTrouble,
  fileRoles,
  listFolder,
  makeFolder,
  readTextIfAny,
  remove,
} from '../../config/files/index.ts';
import { outputFolder } from './output-folders.ts';

/** Messages between the processes of one run about an environment, oldest first. */
export interface RunLog<T> {
  all(): T[];
  add(entry: T): void;
}

/** Lines that could not be written, by file: without other processes, this one is the whole run. */
const unwritten = new Map<string, string[]>();

/** The log of one kind of entries, a file of lines in the run's folder; kept in memory where nothing can be written. */
export function runLog<T>(runId: string, environment: string, kind: string): RunLog<T> {
  const name = hash('sha256', environment).slice(0, 24);
  const file = join(runFolder(runId), `${kind}-${name}`);
  return {
    all: () => {
      const lines = [...linesIn(file), ...(unwritten.get(file) ?? [])];
      return lines.map(parsedJson).filter((entry) => entry !== undefined) as T[];
    },
    add: (entry) => {
      const line = redact(`${JSON.stringify(entry)}\n`);
      try {
        makeRunFolder(runId, Date.now());
        // One short write: the lines of two processes don't mix.
        appendText(file, line, fileRoles.output);
      } catch (error) {
        if (!(error instanceof FileTrouble)) throw error;
        unwritten.set(file, [...(unwritten.get(file) ?? []), line]);
      }
    },
  };
}

/** Removes what a run left for its other processes, when it has none any more. */
export function forgetRun(runId: string): void {
  const folder = runFolder(runId);
  for (const file of unwritten.keys()) if (file.startsWith(join(folder, '/'))) unwritten.delete(file);
  remove(folder, fileRoles.output);
}

function linesIn(file: string): string[] {
  try {
    return readTextIfAny(file, fileRoles.output)?.split('\n').filter(Boolean) ?? [];
  } catch (error) {
    if (error instanceof FileTrouble) return [];
    throw error;
  }
}

/** Nothing of a run is of use to another one, so what is older than a day goes. */
const KEPT_MS = 24 * 3_600_000;

/** The folder that the processes of one run share; it may not be there yet. */
export function runFolder(runId: string): string {
  return join(outputFolder(), 'runs', encodeURIComponent(runId));
}

/** Makes the folder of a run; those of old runs are removed. */
function makeRunFolder(runId: string, now: number): string {
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
