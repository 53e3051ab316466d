import { hash } from 'node:crypto';
import { join } from 'node:path';
import { type RefusalStore, redact } from '../../client/index.ts';
import { appendText, FileTrouble, fileRoles, readTextIfAny, remove } from '../../config/files/index.ts';
import { makeRunFolder, runFolder } from './run-folder.ts';

/**
 * Refusals of one run, in memory and in files, for a run has many processes: Playwright starts a new worker after every failed test, and
 * it would begin to count again.
 */
export function refusalStore(runId: string, environment: string): RefusalStore {
  const files = new Map<string, string>();
  const fileOf = (credential: string) => {
    const known = files.get(credential);
    if (known) return known;
    const name = hash('sha256', `${environment}\n${credential}`).slice(0, 24);
    const file = join(runFolder(runId), `refused-${name}`);
    files.set(credential, file);
    return file;
  };
  const own = new Map<string, string[]>();
  return {
    of: (credential) => {
      const known = own.get(credential) ?? [];
      const shared = attempt(() => readTextIfAny(fileOf(credential), fileRoles.output)) ?? '';
      const lines = shared.split('\n').filter(Boolean);
      return lines.length > known.length ? lines : known;
    },
    add: (credential, line) => {
      own.set(credential, [...(own.get(credential) ?? []), line]);
      attempt(() => {
        makeRunFolder(runId, Date.now());
        appendText(fileOf(credential), redact(`${line}\n`), fileRoles.output);
      });
    },
    clear: (credential) => {
      own.delete(credential);
      attempt(() => remove(fileOf(credential), fileRoles.output));
    },
  };
}

/** Where nothing can be written, each process counts for itself: a verdict is worth more than the count. */
function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof FileTrouble) return undefined;
    throw error;
  }
}
