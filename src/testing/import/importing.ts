import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Imported } from '../../config/import/import-variables.ts';
import { loadEnvironment } from '../../config/load.ts';
import { writeEnvironment } from '../../config/write-environment.ts';
import { ownFolder } from '../own-folder.ts';
import { exported, exportedWithRequests } from './exports.ts';

export const folder = ownFolder();

const sorted = (values: Iterable<readonly [string, string]>) =>
  Object.fromEntries([...values].sort(([a], [b]) => (a < b ? -1 : 1)));

/** Exactly these values were taken, and no secret is outside the secrets. */
export function assertImported(found: Imported, values: object, secrets: Readonly<Record<string, string>>): void {
  assert.deepEqual(sorted(found.values), sorted(Object.entries(values)));
  assert.deepEqual(sorted(found.secrets), secrets);
  assert.doesNotMatch(JSON.stringify([...found.values, ...found.ignored]), /canary/);
}

/** The whole is an environment that loads, and no secret is outside the secrets. */
export function loads({ values, secrets: own }: Imported): void {
  // The address of an area that has no operation yet is in no request.
  const all = new Map([...Object.entries(exported).filter(([key]) => !(key in exportedWithRequests)), ...values]);
  writeEnvironment('made', { values: all, secrets: own }, { origin: 'Imported.', force: true, folder });
  loadEnvironment('made', { folder, processEnvironment: {} });
  assert.doesNotMatch(readFileSync(join(folder, 'made.env'), 'utf8'), /canary/);
}
