import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seeded } from '../../reference-service/index.ts';
import type { Listening } from '../../src/config/index.ts';
import { environmentText, seededData } from '../../src/testing/test-environment.ts';

/** A folder with the environment `bench` for a reference service in a separate process. */
export interface BenchEnvironment {
  readonly folder: string;
  readonly serving: Listening;
  /** The process environment for processes that use it. */
  readonly env: Readonly<Record<string, string>>;
  stop(): void;
}

export async function startBenchEnvironment(): Promise<BenchEnvironment> {
  const child = fork(join(import.meta.dirname, 'serve.ts'));
  const [serving] = (await once(child, 'message')) as [Listening];
  const folder = mkdtempSync(join(tmpdir(), 'sextant-bench-'));
  writeFileSync(join(folder, 'bench.env'), environmentFile(serving.addresses));
  return {
    folder,
    serving,
    env: { SEXTANT_ENVIRONMENTS: folder, SEXTANT_OUTPUT: join(folder, 'output') },
    stop: () => {
      child.disconnect();
      rmSync(folder, { recursive: true });
    },
  };
}

/** No provisioner: its requests don't count, and every caller stays the seeded one. */
function environmentFile(addresses: Listening['addresses']): string {
  const friend = { FRIEND_ACCESS_TOKEN: seeded.friend.accessToken };
  return environmentText(addresses, { ...seededData, ...friend, SLOW_AFTER_MS: 60_000 });
}
