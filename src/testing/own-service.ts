import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { type Service, startService } from '../../reference-service/index.ts';

/** A reference service for the tests of one file, whose runs write into a folder of their own. Both go with the file. */
export async function ownService(): Promise<Service> {
  const folder = mkdtempSync(join(tmpdir(), 'sextant-own-'));
  process.env.SEXTANT_OUTPUT = folder;
  const service = await startService({ port: 0, quiet: true });
  after(async () => {
    await service.stop();
    rmSync(folder, { recursive: true });
  });
  return service;
}
