import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { RefusalStore } from '../client/index.ts';
import { makeRunFolder, runFolder } from './run-folder.ts';

/**
 * Refusals of one run in files, for a run has many processes: Playwright starts a new worker after every failed test, and
 * it would begin to count again.
 */
export function refusalStore(runId: string, environment: string): RefusalStore {
  const files = new Map<string, string>();
  const fileOf = (credential: string) => {
    const known = files.get(credential);
    if (known) return known;
    const name = createHash('sha256').update(`${environment}\n${credential}`).digest('hex').slice(0, 24);
    const file = join(runFolder(runId), `refused-${name}`);
    files.set(credential, file);
    return file;
  };
  return {
    of: (credential) => {
      const file = fileOf(credential);
      return existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : [];
    },
    add: (credential, line) => {
      makeRunFolder(runId, Date.now());
      appendFileSync(fileOf(credential), `${line}\n`);
    },
    clear: (credential) => rmSync(fileOf(credential), { force: true }),
  };
}
