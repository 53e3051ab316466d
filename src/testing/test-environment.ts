import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seeded } from '../../reference-service/index.ts';
import { atService, EMBEDDED, type Environment, type Listening, loadEnvironment } from '../environment/index.ts';
import { projectRoot } from '../environment/project-root.ts';
import { Facts } from '../facts/index.ts';
import { type AreaId, areaIds, areas } from '../service/index.ts';

/** Secrets that occur nowhere else: if one is found in an output, it has leaked. */
export const canaries = {
  ACCESS_TOKEN: 'canary-token-5d1f0a77c3',
  FRIEND_ACCESS_TOKEN: 'canary-friend-9be2408811',
  API_KEY: 'canary-key-e40c6a52d9',
} as const;

export type Addresses = string | Readonly<Record<AreaId, string>>;

type Keys = Readonly<Record<string, string | number | undefined>>;

/** The text of an environment file for a user of the reference service. `rest` adds or changes keys, or removes them (undefined). */
export function environmentText(addresses: Addresses, rest: Keys = {}): string {
  const all: Keys = {
    ...Object.fromEntries(
      areaIds.map((area) => [areas[area].addressKey, typeof addresses === 'string' ? addresses : addresses[area]]),
    ),
    CLIENT_ID: seeded.client.clientId,
    USER_ID: seeded.caller.userId,
    ACCESS_TOKEN: seeded.caller.accessToken,
    API_KEY: seeded.client.apiKey,
    APP_BUNDLE: 'org.sextant.tests',
    APP_VER: '1',
    APP_PLATFORM: 'web',
    APP_LANG: 'en',
    APP_ENV: 'test',
    REPORT_LANGUAGE: 'en',
    STORY_ID: seeded.story,
    ALLOWED_EFFECTS: 'read,reversible,overwriting,irreversible',
    // Far above any duration in a test: otherwise the service could seem slow on a busy machine.
    SLOW_AFTER_MS: 600_000,
    ...rest,
  };
  const given = Object.entries(all).filter(([, value]) => value !== undefined);
  return given.map(([key, value]) => `${key}=${value}\n`).join('');
}

/** Further test data of the reference service, and a second user without a token. */
export const seededData = {
  FRIEND_USER_ID: seeded.friend.userId,
  FLAG_KEY: seeded.flag.key,
  FROM_CLIENT_ID: seeded.source.clientId,
  TYPE_NAME: seeded.source.typeName,
  TYPE_VERSION: seeded.source.typeVersion,
  FRIEND_PROFILE_REQUEST: 'GET /v1/profile/{userId}',
} as const;

/** A fact in one line: `operation question: answer`. */
export type FactLine = `${string} ${string}: ${string}`;

/** Facts as if a person had written them, one for each line. */
export function factsOf(...lines: readonly FactLine[]): Facts {
  return new Facts(
    lines.map((line) => {
      const [, operation = '', question = '', answer = ''] = /^(\w+) (.+?): (.*)$/.exec(line) ?? [];
      return { operation, question, answer, evidence: 'written by hand', askedAt: '2026-11-03' };
    }),
  );
}

/** The forms of arguments that the reference service accepts. A run can't find them out, so tests of runs get them as facts. */
const knownForms = factsOf(
  'cloneType type-version: copy',
  'saveAvatar avatar-form: marked',
  'updateProfile profile-form: text',
);

/** An environment that allows all effects, but has no provisioner and no stored item. Its secrets are `canaries`. */
export function testEnvironment(addresses: Addresses, rest: Keys = {}): Environment {
  const quick = { REQUEST_TIMEOUT_MS: 60_000, CONSISTENCY_TIMEOUT_MS: 100, RETRY_AFTER_LIMIT_MS: 5_000 };
  const environment = loadText('test', environmentText(addresses, { ...canaries, ...seededData, ...quick, ...rest }));
  return { ...environment, facts: knownForms };
}

/** An environment from the text of its file. */
export function loadText(
  name: string,
  text: string,
  processEnvironment: Readonly<Record<string, string>> = {},
): Environment {
  const folder = mkdtempSync(join(tmpdir(), 'sextant-environment-'));
  try {
    writeFileSync(join(folder, `${name}.env`), text);
    return loadEnvironment(name, { folder, processEnvironment });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The shipped environment `local`, with the addresses of a service on free ports. */
export function embeddedEnvironment(service: Listening, changes: Partial<Environment> = {}): Environment {
  const local = loadEnvironment(EMBEDDED, { folder: join(projectRoot, 'environments') });
  return { ...atService(local, service), slowAfterMs: 600_000, ...changes };
}

/** Creates stored items of the seeded caller; returns their ids. */
export async function newItems({ provisionUrl }: Pick<Listening, 'provisionUrl'>, count: number): Promise<string[]> {
  const response = await fetch(new URL('items', `${provisionUrl}/`), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ userId: seeded.caller.userId, count }),
  });
  return ((await response.json()) as { itemIds: string[] }).itemIds;
}
