import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';

/** A folder for one test, or for the tests of one file where none is running yet; it goes with them. */
export function ownFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sextant-own-'));
  after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
