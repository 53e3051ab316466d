import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Checked } from './check-keys.ts';
import { type KeyName, keys } from './keys.ts';

/** Reserved names of headers, which RUN_ID_HEADER must not use for the id of the run. */
const reserved = `transfer-encoding expect upgrade te trailer connection keep-alive host content-length Content-Type
  authorization proxy-authorization cookie mm-user-id mm-anything app-ver app-anything x-sextant-call user-agent
  traceparent accept __proto__ constructor if-match range`;

// The ends of messages, which say what is expected.
const PROFILE = 'expected e.g. GET /v1/profile/{userId}';
const DURATION = 'expected e.g. 60s, 5m or 1h';
const EFFECTS = 'expected read, reversible, overwriting, irreversible';
const RULE = 'expected JSON Pointer = JSON value, e.g. /code=0';

/** A wrong value, and the message that a user reads after the key. */
const problems: readonly (readonly [key: KeyName, value: string, problem: string | RegExp])[] = [
  ['FRIEND_URL', 'friends', '"friends" is not a URL; expected e.g. https://friends.staging.your.org/api'],
  ['FRIEND_URL', 'ftp://friends.test', '"ftp://friends.test" is not an http:// or https:// URL'],
  ['FRIEND_URL', 'https://me:pw@friends.test', 'contains a user or a password; credentials are sent in headers only'],
  ['FRIEND_URL', 'https://friends.test/?a=b', 'contains a query or a fragment; expected scheme, host and path only'],
  [
    'FRIEND_URL',
    'https://friends.staging.example',
    'is still the placeholder https://friends.staging.example; put the address of your service here',
  ],
  [
    'FRIEND_URL',
    'https://x.org/api/v1/love',
    '"https://x.org/api/v1/love" goes too far: every path begins with /v1; drop /v1 and all after it: https://x.org/api',
  ],
  ['STORY_URL', 'https://x.org/v1', /goes too far: .*: https:\/\/x\.org$/],
  ['SUCCESS_WHEN', '/a~2b=0', `"/a~2b=0": ${RULE}`],
  ['CLIENT_ID', 'a\u0000b', 'contains a control character'],
  ['CLIENT_ID', 'é', 'contains U+00E9, which is not allowed in a header; use printable ASCII'],
  ['FRIEND_URL', 'http://127.0.0.1:0', '"http://127.0.0.1:0" has port 0, where nothing can listen'],
  ['REPORT_LANGUAGE', '.', '"." is not valid in a path'],
  ['BLOCK_LIST_SEGMENTS', '0-100', '"0-100" is not two whole numbers; expected e.g. 0/100'],
  ['STORED_ITEM_IDS', 'a,b,a', 'contains "a" twice, but each is used only once'],
  ['ALLOWED_EFFECTS', 'write', `"write" is not an effect; ${EFFECTS}`],
  ['ALLOWED_EFFECTS', 'read,write,all', `"write", "all" are not effects; ${EFFECTS}`],
  [
    'MAY_BE_UNPROVEN',
    'block,saveAvatr',
    /^"saveAvatr" is not an operation \(did you mean saveAvatar\?\); expected block, /,
  ],
  ['REQUEST_TIMEOUT_MS', '0', '"0" is not a whole number from 1 to 600000'],
  ['MAX_REQUESTS_PER_SECOND', '0', '"0" is not a number above 0 and up to 10000'],
  ['DRIFT', 'maybe', '"maybe" is neither fail nor warn'],
  ['RUN_ID_HEADER', 'x run', '"x run" is not a header name; expected e.g. x-request-run, or off'],
  ['RUN_ID_HEADER', 'Cookie', 'Cookie is a reserved header; choose another name, or off'],
  ['SEND_TRACEPARENT', 'off', '"off" is neither yes nor no'],
  [
    'TRACE_URL',
    'https://me:pw@traces.test/',
    '"https://traces.test/" is not an address with {traceId}; expected e.g. https://jaeger.your.org/trace/{traceId}',
  ],
  ['TRACE_URL', 'https://me:pw@traces.test/{traceId}', 'contains a user or a password; a link must not'],
  ['TRACE_URL', 'javascript:{traceId}', /^"javascript:\{traceId\}" is not an address with/],
  ['SUCCESS_WHEN', 'code=0', `"code=0": ${RULE}`],
  ['SUCCESS_WHEN', '/status=ok', `"ok" is not JSON; ${RULE} (strings need quotes: /status="ok")`],
  ['FRIEND_PROFILE_REQUEST', 'profile', `"profile": ${PROFILE}`],
  [
    'FRIEND_PROFILE_REQUEST',
    'PUT /v1/profile/{userId}',
    `PUT may change data, but this request must only read; ${PROFILE}`,
  ],
  ['FRIEND_PROFILE_REQUEST', 'GET /profile/{userId}', `/profile/{userId} does not start with /v1/; ${PROFILE}`],
  [
    'FRIEND_PROFILE_REQUEST',
    'GET /v1/profile/{id}',
    `/v1/profile/{id} must contain {userId} once and no other parameter; ${PROFILE}`,
  ],
  ['MONITOR_EVERY', '1s', `"1s" is not a duration from 5s to 1h; ${DURATION}`],
  ['MONITOR_EVERY_BY_TAG', '@read=1s', `@read: "1s" is not a duration from 5s to 1h; ${DURATION}`],
  ['MONITOR_EVERY_BY_TAG', 'read', '"read" is not a tag with a duration; expected e.g. @read=30s, @storage=10m'],
  [
    'MAINTENANCE',
    'Sundays',
    '"Sundays" is not a maintenance window; expected e.g. 0 2 * * SUN for 2h in Europe/Berlin',
  ],
  [
    'MAINTENANCE',
    '0 2 * * SUN for 2h in Europe/Berln',
    '"Europe/Berln" is not a time zone; expected e.g. Europe/Berlin or UTC',
  ],
  [
    'MAINTENANCE',
    '0 2 * * XYZ for 2h in UTC',
    '"0 2 * * XYZ" is not a cron pattern; expected e.g. 0 2 * * SUN (Sundays at 2:00)',
  ],
  [
    'MAINTENANCE',
    '0 2 30 2 * for 2h in UTC',
    '"0 2 30 2 *" never happens; expected e.g. 0 2 * * SUN (Sundays at 2:00)',
  ],
  ['MAINTENANCE', '0 2 * * SUN for 2y in UTC', `"2y" is not a duration from 1m to 7d; ${DURATION}`],
  // Here only a part of the message is compared: the message or the value is long, or many values have the same message.
  ['STORY_URL', 'https://<stories>', /is still the placeholder/],
  ['STORY_URL', 'https://stories.test/a\u0001b', /contains a control character/],
  ['STORY_URL', 'https://stories.test/a%00b', /contains a control character/],
  ['STORY_URL', `https://stories.test/${'a'.repeat(2_000)}`, /has 2021 characters; at most 2000 are allowed/],
  ['USER_ID', 'user-✓', /contains U\+2713, which is not allowed in a header/],
  ['USER_ID', '..', /is not valid in a path/],
  ['USER_ID', 'a'.repeat(5_000_00), /has 500000 characters; at most 1000 are allowed/],
  ['STORED_ITEM_IDS', 'a,..', /is not valid in a path/],
  ...['/v1:x/{userId}', '/v1x/{userId}'].map(
    (path) => ['FRIEND_PROFILE_REQUEST', `GET ${path}`, /does not start with \/v1\/;/] as const,
  ),
  ...['../../{userId}', '%2e%2E/%2e%2e/{userId}', '.%2e/{userId}', '..%2f{userId}', '..%5C{userId}', '%2{userId}'].map(
    (path) =>
      ['FRIEND_PROFILE_REQUEST', `GET /v1/${path}`, /without #, \\ and segments of dots, also as escapes/] as const,
  ),
  ['BLOCK_LIST_SEGMENTS', `0/${'1'.repeat(30)}`, /is not two whole numbers/],
  ...reserved.split(/\s+/).map((name) => ['RUN_ID_HEADER', name, /is a reserved header/] as const),
  ...['é', 'x:y', 'x'.repeat(101)].map((name) => ['RUN_ID_HEADER', name, /is not a header name/] as const),
  ...['4s', '61m', '60', 's', '-5s', '1.5m', '1w'].map((time) => ['MONITOR_EVERY', time, /from 5s to 1h/] as const),
];

for (const [key, value, problem] of problems)
  test(`${key}=${JSON.stringify(value.slice(0, 60))}`, () => {
    const checked: Checked<unknown> = keys[key].check(value);
    const found = 'problem' in checked ? checked.problem : '';
    if (problem instanceof RegExp) assert.match(found, problem);
    else assert.equal(found, problem);
    // If the message suggests a value, this value must be valid.
    const [, instead] = /drop \/v1 and all after it: (.*)/.exec(found) ?? [];
    assert.equal('problem' in checked ? checked.instead : undefined, instead);
    if (instead) assert.ok('value' in keys[key].check(instead));
  });

const read: readonly (readonly [key: KeyName, value: string, is: unknown])[] = [
  ['SUCCESS_WHEN', '/status="a=b"', { pointer: '/status', value: 'a=b', text: '/status="a=b"' }],
  ...['x-sextant-run', 'X-Request-Run', 'x-app', 'template'].map(
    (name) => ['RUN_ID_HEADER', name, name.toLowerCase()] as const,
  ),
  ['SEND_TRACEPARENT', 'no', false],
  ['TRACE_URL', 'https://a.test/?q={"id":"{traceId}"}', 'https://a.test/?q={"id":"{traceId}"}'],
  ['MONITOR_EVERY', '5s', 5_000],
  ['MONITOR_EVERY', '1h', 3_600_000],
  ['MONITOR_EVERY', '5000ms', 5_000],
  [
    'MONITOR_EVERY_BY_TAG',
    '@read=30s, @storage=10m',
    new Map([
      ['read', 30_000],
      ['storage', 600_000],
    ]),
  ],
  [
    'MAINTENANCE',
    '0 2 * * SUN for 2h in Europe/Berlin; 30 3 1 * * for 30m in UTC',
    [
      { pattern: '0 2 * * SUN', timeZone: 'Europe/Berlin', durationMs: 7_200_000 },
      { pattern: '30 3 1 * *', timeZone: 'UTC', durationMs: 1_800_000 },
    ],
  ],
];
for (const [key, value, is] of read)
  test(`${key}=${value} is read`, () => assert.deepEqual(keys[key].check(value), { value: is }));

for (const timeZone of [
  'Asia/Kolkata',
  'Europe/Kyiv',
  'Etc/UTC',
  'GMT',
  'US/Eastern',
  'America/Argentina/Buenos_Aires',
])
  test(`a window in ${timeZone} is read`, () =>
    assert.deepEqual(keys.MAINTENANCE.check(`0 2 * * SUN for 2h in ${timeZone}`), {
      value: [{ pattern: '0 2 * * SUN', timeZone, durationMs: 7_200_000 }],
    }));
