import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { type Service, startService } from '../../../reference-service/index.ts';

/** A folder for the tests of one file, which goes with the file. */
export function ownFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sextant-own-'));
  after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A reference service for the tests of one file, whose runs write into a folder of their own. */
export async function ownService(): Promise<Service> {
  process.env.SEXTANT_OUTPUT = ownFolder();
  const service = await startService({ port: 0, quiet: true });
  after(() => service.stop());
  return service;
}
