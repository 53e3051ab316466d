import { RUN_HEADER } from '../client/index.ts';
import { type AreaId, areaIds, areas, effects } from '../spec/index.ts';
import { headerName, headerText, idText, segmentText, text } from './header-values.ts';
import { durationsByTag, everyDuration, maintenanceRules } from './monitoring-values.ts';
import {
  type Checked,
  driftMode,
  effectList,
  friendProfileRequest,
  idList,
  integer,
  positive,
  segments,
  successRule,
  url,
} from './values.ts';

interface KeyEntry {
  readonly check: (value: string) => Checked<unknown>;
  readonly required: boolean;
  /** Stands in for an absent key. */
  readonly fallback?: string;
  readonly meaning: string;
}

const key = <T>(
  check: (value: string) => Checked<T>,
  meaning: string,
  rest: { required?: boolean; fallback?: string } = {},
) => ({
  check,
  meaning,
  required: false,
  ...rest,
});
const required = { required: true };

type AddressKey = (typeof areas)[AreaId]['addressKey'];

const addressKeys = Object.fromEntries(
  areaIds.map((area) => [areas[area].addressKey, key(url, `base address of ${areas[area].title}`, required)]),
) as Record<AddressKey, { check: typeof url; meaning: string; required: true }>;

/** Every key of an environment's file, with its check: the one list that loading, messages and docs are made of. */
export const keys = {
  ...addressKeys,
  CLIENT_ID: key(headerText, 'id of the calling client', required),
  USER_ID: key(idText, 'id of the acting user', required),
  APP_BUNDLE: key(headerText, 'application bundle identifier', required),
  APP_VER: key(headerText, 'application version', required),
  APP_PLATFORM: key(headerText, 'application platform code', required),
  APP_LANG: key(headerText, 'language code of the application', required),
  APP_ENV: key(headerText, 'environment code of the application', required),
  FRIEND_USER_ID: key(idText, 'the second user; absent: an invented id is used where one will do'),
  BLOCK_LIST_SEGMENTS: key(segments, 'the two numeric path segments of the block lists', { fallback: '0/100' }),
  REPORT_LANGUAGE: key(segmentText, 'language code for the report options'),
  STORY_ID: key(text, 'a story that may be loved and reported'),
  FLAG_KEY: key(text, 'a feature flag that exists'),
  FROM_CLIENT_ID: key(text, 'the client that a design type is cloned from'),
  TYPE_NAME: key(text, 'the design type to clone'),
  TYPE_VERSION: key(text, 'start of the version label that a clone gets'),
  STORED_ITEM_IDS: key(idList, 'comma-separated ids that may be deleted, used in order, each once', { fallback: '' }),
  FRIEND_PROFILE_REQUEST: key(friendProfileRequest, 'row 12 as the team knows it, e.g. GET /v1/profile/{userId}'),
  ALLOWED_EFFECTS: key(effectList, `comma-separated out of ${effects.join(', ')}`, { fallback: 'read' }),
  REQUEST_TIMEOUT_MS: key(integer(1, 600_000), 'deadline of a call', { fallback: '10000' }),
  CONSISTENCY_TIMEOUT_MS: key(integer(0, 600_000), 'how long a list may lag behind a change', { fallback: '2000' }),
  SLOW_AFTER_MS: key(integer(1, 600_000), 'when an operation counts as slow', { fallback: '2000' }),
  MAX_ANSWER_BYTES: key(integer(1_000, 100_000_000), 'largest answer that is read, decompressed', {
    fallback: '5000000',
  }),
  REQUEST_BUDGET: key(integer(1, 100_000), 'the most requests that one generated spec makes', { fallback: '200' }),
  DRIFT: key(driftMode, 'fail or warn: what an answer that is not as observed does; absent: fail in CI, else warn'),
  CERTIFICATE_WARNING_DAYS: key(integer(0, 3_650), 'a certificate that ends in fewer days is warned of', {
    fallback: '14',
  }),
  MAX_REQUESTS_PER_SECOND: key(positive(10_000), 'how many requests a second a run may send; absent: no limit'),
  MAX_CONCURRENCY: key(integer(1, 1_000), 'how many requests may be under way at once; absent: no limit'),
  RETRY_AFTER_LIMIT_MS: key(integer(0, 600_000), 'longest Retry-After that is waited for, once', { fallback: '5000' }),
  RUN_ID_HEADER: key(headerName, 'header that carries the id of the run, or off', { fallback: RUN_HEADER }),
  SUCCESS_WHEN: key(successRule, 'JSON Pointer = JSON value, where the status is always 200 and the body tells'),
  PROVISION_URL: key(url, 'helper that makes fresh users and stored items'),
  MONITOR_EVERY: key(everyDuration, 'how often the monitor runs each scenario, as 60s; absent: as it was started with'),
  MONITOR_EVERY_BY_TAG: key(
    durationsByTag,
    'the same by tag, as @read=30s, @storage=10m; the shortest that fits counts',
    {
      fallback: '',
    },
  ),
  MAINTENANCE: key(maintenanceRules, 'windows in which nobody is told, as 0 2 * * SUN for 2h in Europe/Berlin; …', {
    fallback: '',
  }),
} as const satisfies Record<string, KeyEntry>;

export type KeyName = keyof typeof keys;

/** The checked values of a file. */
export type Values = {
  readonly [K in KeyName]: (typeof keys)[K]['check'] extends (value: string) => Checked<infer T>
    ? T | undefined
    : never;
};

/** Secrets never stand in `keys`' place: see `secrets.ts` for where they may. */
export const secretKeys = {
  ACCESS_TOKEN: 'token of the acting user',
  API_KEY: 'API key of the client',
  FRIEND_ACCESS_TOKEN: 'token of the second user',
} as const;

export type SecretKey = keyof typeof secretKeys;
