import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { seeded } from '../../reference-service/index.ts';
import type { Listening } from '../../src/environment/index.ts';
import { temporaryFolder } from '../../src/testing/own-folder.ts';
import { environmentText, seededData } from '../../src/testing/test-environment.ts';

/** The reference service with faults (see serve.ts) in a separate process, and a folder with one environment; `stop` removes both. */
export async function startBenchService(...faults: readonly string[]) {
  const service = fork(join(import.meta.dirname, 'serve.ts'), faults);
  const { path: folder, end } = temporaryFolder();
  const [{ addresses }] = (await once(service, 'message')) as [Listening];
  // There is no provisioner, because its requests must not be measured. So all scenarios act as the same users.
  const keys = { ...seededData, FRIEND_ACCESS_TOKEN: seeded.friend.accessToken, SLOW_AFTER_MS: 60_000 };
  const stopService = () => service.connected && service.disconnect();
  const stop = () => {
    stopService();
    end();
  };
  const env = { SEXTANT_ENVIRONMENTS: folder, SEXTANT_OUTPUT: join(folder, 'output') };
  return { folder, env, text: environmentText(addresses, keys), stop, stopService };
}
