import { RUN_HEADER } from '../../http/correlation-headers.ts';
import { type AreaId, areaIds, areas, effects } from '../../service/index.ts';
import { type Checked, type KeyEntry, oneOf } from './check-keys.ts';
import { duration, durationsByTag, everyDuration, maintenanceRules } from './monitoring-values.ts';
import {
  effectList,
  friendProfileRequest,
  headerName,
  headerText,
  idList,
  idText,
  integer,
  operationList,
  pathList,
  pinList,
  positive,
  proxyAddress,
  segments,
  segmentText,
  successRule,
  text,
  tokenUrl,
  traceUrl,
  url,
  yes,
  yesOrNo,
} from './values.ts';

export const key = <T>(check: (value: string) => Checked<T>, meaning: string, fallback?: string) => ({
  check,
  meaning,
  ...(fallback === undefined ? {} : { fallback }),
});
export const required = <T>(check: (value: string) => Checked<T>, meaning: string) => ({
  check,
  meaning,
  required: true,
});

type AddressKey = (typeof areas)[AreaId]['addressKey'];

const addressKeys = Object.fromEntries(
  areaIds.map((area) => [areas[area].addressKey, required(url, `base address of ${areas[area].title}`)]),
) as Record<AddressKey, { check: typeof url; meaning: string; required: true }>;

/** Every key of an environment's file, with its check: the single list for loading, messages and docs. */
export const keys = {
  ...addressKeys,
  CLIENT_ID: required(headerText, 'id of the calling client'),
  USER_ID: required(idText, 'id of the acting user'),
  APP_BUNDLE: required(headerText, 'application bundle identifier'),
  APP_VER: required(headerText, 'application version'),
  APP_PLATFORM: required(headerText, 'application platform code'),
  APP_LANG: required(headerText, 'language code of the application'),
  APP_ENV: required(headerText, 'environment code of the application'),
  OTHER_CLIENT_ID: key(headerText, 'id of another client that ACCESS_TOKEN is valid for; an avatar is saved there'),
  FRIEND_USER_ID: key(idText, 'id of the second user; absent: an invented id, if that is enough'),
  OTHER_USER_IDS: key(idList, 'ids of further users who exist, comma-separated; they need no token', ''),
  BLOCK_LIST_SEGMENTS: key(segments, 'the two numeric path segments of the block lists', '0/100'),
  REPORT_LANGUAGE: key(segmentText, 'language code for the report options'),
  REPORT_LANGUAGES: key(idList, 'further languages that the service has report options in, comma-separated', ''),
  STORY_ID: key(text, 'id of a story that may be loved and reported'),
  OTHER_STORY_ID: key(text, 'id of another story that may be loved'),
  FLAG_KEY: key(text, 'name of an existing feature flag'),
  FLAG_VALUE: key(text, 'what FLAG_KEY evaluates to for the caller'),
  FROM_CLIENT_ID: key(text, 'id of the client to clone a design type from'),
  TYPE_NAME: key(text, 'name of the design type to clone'),
  TYPE_VERSION: key(
    text,
    'version of the design type to clone, e.g. 1.0; if each clone needs a label of its own, the beginning of that label',
  ),
  STORED_ITEM_IDS: key(
    idList,
    'ids of stored items that may be deleted, comma-separated; used in order, each once',
    '',
  ),
  AVATAR_ITEM_IDS: key(
    idList,
    'ids of items that an avatar of the caller may wear, comma-separated; none: what profiles show, or made-up numbers',
    '',
  ),
  AVATAR_DESIGN_ID: key(text, 'id of a design that such an item may have'),
  FRIEND_PROFILE_REQUEST: key(
    friendProfileRequest,
    'method and path of operation 12, which the specification leaves open, e.g. GET /v1/profile/{userId}',
  ),
  ALLOWED_EFFECTS: key(effectList, `what may be sent, comma-separated: ${effects.join(', ')}`, 'read'),
  MAY_BE_UNPROVEN: key(
    operationList,
    'operations that this team can’t prove, comma-separated, e.g. saveAvatar: runs list them, but do not end with exit code 3 because of them',
    '',
  ),
  REQUEST_TIMEOUT_MS: key(integer(1, 600_000), 'deadline of a call, in ms', '10000'),
  CONSISTENCY_TIMEOUT_MS: key(integer(0, 600_000), 'how long a list may lag behind a change, in ms', '2000'),
  SLOW_AFTER_MS: key(integer(1, 600_000), 'an operation that takes longer is slow, in ms', '2000'),
  MAX_ANSWER_BYTES: key(
    integer(1_000, 100_000_000),
    'largest response that is read, in bytes after decompression; each JSON value counts as 25',
    '5000000',
  ),
  MAX_HEADER_BYTES: key(integer(1_000, 1_000_000), 'largest headers of a response that are read, in bytes', '65536'),
  REQUEST_BUDGET: key(integer(1, 100_000), 'maximum number of requests per generated spec', '200'),
  DRIFT: key(
    oneOf(['fail', 'warn'], 'is neither fail nor warn'),
    'fail or warn when a fact or the shape of a response no longer holds',
    'fail',
  ),
  KEEP_ITEMS: key(
    yes,
    'yes: nothing irreversible is sent, whatever ALLOWED_EFFECTS says: no stored item, clone or report is used up',
  ),
  CERTIFICATE_WARNING_DAYS: key(integer(0, 3_650), 'warn about a certificate that expires in fewer days', '14'),
  CREDENTIAL_WARNING: key(
    duration('0s', '365d'),
    'warn about a credential that nothing renews and that expires sooner, e.g. 12h or 3d',
    '3d',
  ),
  MAX_REQUESTS_PER_SECOND: key(positive(10_000), 'maximum requests per second of a run; absent: no limit'),
  MAX_CONCURRENCY: key(integer(1, 1_000), 'maximum concurrent requests; absent: no limit'),
  RETRY_AFTER_LIMIT_MS: key(
    integer(0, 600_000),
    'longest that one request waits for Retry-After or RateLimit headers, in ms',
    '60000',
  ),
  RUN_ID_HEADER: key(headerName, 'header that carries the run id, or off', RUN_HEADER),
  SEND_TRACEPARENT: key(
    yesOrNo,
    'no: requests carry no traceparent, so that traces of the service begin at the service',
    'yes',
  ),
  TRACE_URL: key(traceUrl, 'page of a trace in the team’s viewer, e.g. https://jaeger.your.org/trace/{traceId}'),
  SUCCESS_WHEN: key(
    successRule,
    'JSON Pointer = JSON value, e.g. /code=0, for APIs that always return 200 and signal success in the body',
  ),
  OPENAPI: key(
    pathList,
    'the team’s own OpenAPI 3.0 or 3.1 document (YAML or JSON), which requests and responses must follow; several are comma-separated, paths are relative to the environment’s file or the project',
  ),
  TOKEN_URL: key(tokenUrl, 'OAuth 2.0 token endpoint that issues ACCESS_TOKEN'),
  TOKEN_CLIENT_ID: key(text, 'client id at TOKEN_URL; absent: CLIENT_ID'),
  TOKEN_AUTH: key(
    oneOf(['basic', 'body'], 'is not basic or body'),
    'how TOKEN_CLIENT_SECRET is sent: basic or body',
    'basic',
  ),
  TOKEN_SCOPE: key(text, 'scopes to ask TOKEN_URL for, separated by blanks'),
  TOKEN_AUDIENCE: key(text, 'audience to ask TOKEN_URL for'),
  TOKEN_USERNAME: key(text, 'user of the password grant at TOKEN_URL, with TOKEN_PASSWORD'),
  FRIEND_TOKEN_USERNAME: key(text, 'the same for the second user, with FRIEND_TOKEN_PASSWORD'),
  PROXY: key(
    proxyAddress,
    'forward proxy to every address: its own, or env for HTTPS_PROXY, HTTP_PROXY and NO_PROXY of the process; absent: none',
  ),
  NO_PROXY: key(text, 'hosts that PROXY is not for, comma-separated, e.g. localhost,.internal.your.org'),
  PROXY_USERNAME: key(text, 'user at the proxy, with PROXY_PASSWORD'),
  PROXY_IN_CLEAR: key(yes, 'yes: credentials may pass the proxy in the clear, for addresses that begin with http://'),
  CONNECT_TO: key(
    pinList,
    'where connections to a host of these addresses go, e.g. friends.your.org:443=10.0.0.7:8443; comma-separated; TLS and Host keep the name',
  ),
  CLIENT_CERT_FILE: key(
    text,
    'PEM file, relative to this file, with the client’s certificate chain; its key is CLIENT_KEY_FILE',
  ),
  CLIENT_PKCS12_FILE: key(
    text,
    'the same as one PKCS#12 file (.p12, .pfx) with certificate and key; CLIENT_KEY_PASSPHRASE opens it',
  ),
  CA_FILE: key(text, 'PEM file, relative to this file, with an authority to trust'),
  PROVISION_URL: key(url, 'address of a provisioner, which creates fresh users and stored items'),
  MONITOR_EVERY: key(
    everyDuration,
    'how often the monitor runs each scenario, e.g. 60s; absent: the monitor’s own EVERY',
  ),
  MONITOR_EVERY_BY_TAG: key(
    durationsByTag,
    'the same by tag, e.g. @read=30s, @storage=10m; the shortest matching interval applies',
    '',
  ),
  MAINTENANCE: key(
    maintenanceRules,
    'windows without alerts, e.g. 0 2 * * SUN for 2h in Europe/Berlin; separate several with a semicolon',
    '',
  ),
} as const satisfies Record<string, KeyEntry>;

export type KeyName = keyof typeof keys;

/** The keys that every environment must have, in the order of `keys`. */
export const requiredKeys = (Object.keys(keys) as KeyName[]).filter(
  (name) => (keys[name] as KeyEntry<unknown>).required === true,
);

export type Values = {
  readonly [K in KeyName]: (typeof keys)[K]['check'] extends (value: string) => Checked<infer T>
    ? T | undefined
    : never;
};

/** Secrets are not among `keys`, because `secrets.ts` defines the places in which a secret is allowed. */
export const secretKeys = {
  ACCESS_TOKEN: 'token of the acting user',
  API_KEY: 'API key of the client',
  FRIEND_ACCESS_TOKEN: 'token of the second user',
  TOKEN_CLIENT_SECRET: 'secret of TOKEN_CLIENT_ID at TOKEN_URL',
  TOKEN_REFRESH_TOKEN: 'refresh token of the acting user at TOKEN_URL',
  TOKEN_PASSWORD: 'password of TOKEN_USERNAME at TOKEN_URL',
  FRIEND_TOKEN_REFRESH_TOKEN: 'refresh token of the second user at TOKEN_URL',
  FRIEND_TOKEN_PASSWORD: 'password of FRIEND_TOKEN_USERNAME at TOKEN_URL',
  PROXY_PASSWORD: 'password of PROXY_USERNAME at the proxy',
  CLIENT_KEY: 'private key of CLIENT_CERT_FILE, PEM; CLIENT_KEY_FILE names a file with it',
  CLIENT_KEY_PASSPHRASE: 'passphrase of CLIENT_KEY or CLIENT_PKCS12_FILE',
} as const;

export type SecretKey = keyof typeof secretKeys;

/** The secrets that requests carry. For each of them, `<KEY>_COMMAND` can name a program that issues it. */
export const credentialKeys = ['ACCESS_TOKEN', 'API_KEY', 'FRIEND_ACCESS_TOKEN'] as const satisfies SecretKey[];

export type CredentialKey = (typeof credentialKeys)[number];
