import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seeded } from '../../reference-service/index.ts';
import { type AreaId, areaIds, areas } from '../../src/spec/index.ts';

export interface Serving {
  readonly addresses: Readonly<Record<AreaId, string>>;
  readonly provisionUrl: string;
}

/** A folder with environment `bench` for a reference service that runs in a process of its own. */
export interface BenchEnvironment {
  readonly folder: string;
  readonly serving: Serving;
  stop(): void;
}

export async function startBenchEnvironment(): Promise<BenchEnvironment> {
  const child = fork(join(import.meta.dirname, 'serve.ts'));
  const [serving] = (await once(child, 'message')) as [Serving];
  const folder = mkdtempSync(join(tmpdir(), 'sextant-bench-'));
  writeFileSync(join(folder, 'bench.env'), environmentFile(serving.addresses));
  return {
    folder,
    serving,
    stop: () => {
      child.disconnect();
      rmSync(folder, { recursive: true });
    },
  };
}

/** No provisioner: its requests aren't the suite's, and every caller stays the seeded one. */
function environmentFile(addresses: Serving['addresses']): string {
  const { client, caller, friend, story, flag, source } = seeded;
  const entries = {
    ...Object.fromEntries(areaIds.map((area) => [areas[area].addressKey, addresses[area]])),
    CLIENT_ID: client.clientId,
    USER_ID: caller.userId,
    ACCESS_TOKEN: caller.accessToken,
    API_KEY: client.apiKey,
    FRIEND_USER_ID: friend.userId,
    FRIEND_ACCESS_TOKEN: friend.accessToken,
    APP_BUNDLE: 'org.sextant.bench',
    APP_VER: '1',
    APP_PLATFORM: 'web',
    APP_LANG: 'en',
    APP_ENV: 'bench',
    REPORT_LANGUAGE: 'en',
    STORY_ID: story,
    FLAG_KEY: flag.key,
    FROM_CLIENT_ID: source.clientId,
    TYPE_NAME: source.typeName,
    TYPE_VERSION: source.typeVersion,
    FRIEND_PROFILE_REQUEST: 'GET /v1/profile/{userId}',
    ALLOWED_EFFECTS: 'read,reversible,overwriting,irreversible',
    SLOW_AFTER_MS: '60000',
  };
  return Object.entries(entries)
    .map(([key, value]) => `${key}=${value}\n`)
    .join('');
}
