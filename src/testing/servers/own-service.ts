import { after, afterEach } from 'node:test';
import { type Service, startService } from '../../../reference-service/index.ts';
import { ownEnvironments, ownFolder } from '../own-folder.ts';

export { ownEnvironments, ownFolder };

/** A reference service for the tests of one file. Removes its faults after each test. Runs of the tests write into a temporary folder. */
export async function ownService(options: Pick<Parameters<typeof startService>[0], 'data'> = {}): Promise<Service> {
  process.env.SEXTANT_OUTPUT = ownFolder();
  const service = await startService({ port: 0, quiet: true, ...options });
  afterEach(() => service.faults.set());
  after(() => service.stop());
  return service;
}
