import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { appendArtifact, type RefusalStore, redact } from '../client/index.ts';
import { makeRunFolder, runFolder } from './run-folder.ts';

/**
 * Refusals of one run in files, for a run has many processes: Playwright starts a new worker after every failed test, and
 * it would begin to count again.
 */
export function refusalStore(runId: string, environment: string): RefusalStore {
  const fileOf = (credential: string) => {
    const name = createHash('sha256').update(`${environment}\n${credential}`).digest('hex').slice(0, 24);
    return join(runFolder(runId), `refused-${name}`);
  };
  return {
    of: (credential) => {
      const file = fileOf(credential);
      return existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : [];
    },
    add: (credential, line) => {
      makeRunFolder(runId, Date.now());
      appendArtifact(fileOf(credential), redact(`${line}\n`));
    },
    clear: (credential) => rmSync(fileOf(credential), { force: true }),
  };
}
