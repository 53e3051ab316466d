import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { redact } from '../client/index.ts';
import { appendText, fileRoles, readTextIfAny } from '../config/files/index.ts';
import { makeRunFolder, runFolder } from './run-folder.ts';

/** Messages between the processes of one run about an environment, oldest first. */
export interface RunLog<T> {
  all(): T[];
  add(entry: T): void;
}

/** The log of one kind of entries, a file of lines in the run's folder. */
export function runLog<T>(runId: string, environment: string, kind: string): RunLog<T> {
  const name = createHash('sha256').update(environment).digest('hex').slice(0, 24);
  const file = join(runFolder(runId), `${kind}-${name}`);
  return {
    all: () => {
      const lines = readTextIfAny(file, fileRoles.output)?.split('\n').filter(Boolean) ?? [];
      return lines.map((line) => JSON.parse(line) as T);
    },
    add: (entry) => {
      makeRunFolder(runId, Date.now());
      // One short write: the lines of two processes don't mix.
      appendText(file, redact(`${JSON.stringify(entry)}\n`), fileRoles.output);
    },
  };
}
