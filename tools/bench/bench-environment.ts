import { fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { seeded } from '../../reference-service/index.ts';
import type { Listening } from '../../src/config/index.ts';
import { temporaryFolder } from '../../src/testing/monitor/fakes.ts';
import { environmentText, seededData } from '../../src/testing/test-environment.ts';

export type BenchEnvironment = Awaited<ReturnType<typeof startBenchEnvironment>>;

/** A folder with the environment `bench` for a reference service in a separate process. */
export async function startBenchEnvironment() {
  const child = fork(join(import.meta.dirname, 'serve.ts'));
  const [serving] = (await once(child, 'message')) as [Listening];
  const { path: folder, end } = temporaryFolder();
  // No provisioner: its requests don't count, and every caller stays the seeded one.
  const keys = { ...seededData, FRIEND_ACCESS_TOKEN: seeded.friend.accessToken, SLOW_AFTER_MS: 60_000 };
  writeFileSync(join(folder, 'bench.env'), environmentText(serving.addresses, keys));
  return {
    folder,
    serving,
    env: { SEXTANT_ENVIRONMENTS: folder, SEXTANT_OUTPUT: join(folder, 'output') },
    stop: () => {
      child.disconnect();
      end();
    },
  };
}
