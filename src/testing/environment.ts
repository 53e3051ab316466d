import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Environment, loadEnvironment } from '../config/index.ts';
import { type AreaId, areaIds, areas } from '../spec/index.ts';

/** Secrets that stand nowhere else, so that finding one anywhere proves a leak. */
export const canaries = {
  ACCESS_TOKEN: 'canary-token-5d1f0a77c3',
  FRIEND_ACCESS_TOKEN: 'canary-friend-9be2408811',
  API_KEY: 'canary-key-e40c6a52d9',
} as const;

/**
 * An environment in which every scenario that needs no provisioner and no stored item may run. `addresses` is one
 * address for all areas, or one for each; `extra` are further keys of its file.
 */
export function testEnvironment(
  addresses: string | Readonly<Record<AreaId, string>>,
  extra: Readonly<Record<string, string | number>> = {},
): Environment {
  const folder = mkdtempSync(join(tmpdir(), 'sextant-environment-'));
  const lines = Object.entries({
    ...Object.fromEntries(
      areaIds.map((area) => [areas[area].addressKey, typeof addresses === 'string' ? addresses : addresses[area]]),
    ),
    CLIENT_ID: 'client-harbour',
    USER_ID: 'user-ada',
    FRIEND_USER_ID: 'user-ben',
    ...canaries,
    APP_BUNDLE: 'org.sextant.tests',
    APP_VER: '1',
    APP_PLATFORM: 'web',
    APP_LANG: 'en',
    APP_ENV: 'test',
    REPORT_LANGUAGE: 'en',
    STORY_ID: 'story-lighthouse',
    FLAG_KEY: 'new-home',
    FROM_CLIENT_ID: 'client-shipyard',
    TYPE_NAME: 'badge',
    TYPE_VERSION: '1.0',
    FRIEND_PROFILE_REQUEST: 'GET /v1/profile/{userId}',
    ALLOWED_EFFECTS: 'read,reversible,overwriting,irreversible',
    REQUEST_TIMEOUT_MS: 400,
    CONSISTENCY_TIMEOUT_MS: 100,
    SLOW_AFTER_MS: 60_000,
    ...extra,
  }).map(([key, value]) => `${key}=${value}`);
  try {
    writeFileSync(join(folder, 'test.env'), lines.join('\n'));
    return loadEnvironment('test', { folder, processEnvironment: {} });
  } finally {
    rmSync(folder, { recursive: true });
  }
}
