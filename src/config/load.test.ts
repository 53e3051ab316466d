import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { areas } from '../spec/index.ts';
import { ConfigurationError } from './configuration-error.ts';
import { loadEnvironment } from './load.ts';

const folder = mkdtempSync(join(tmpdir(), 'sextant-environments-'));
after(() => rmSync(folder, { recursive: true }));

const complete: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(areas).map(([area, { addressKey }]) => [addressKey, `https://${area}.test`])),
  FRIEND_URL: 'https://friends.staging.test/api',
  CLIENT_ID: 'client',
  USER_ID: 'user',
  APP_BUNDLE: 'org.test',
  APP_VER: '1',
  APP_PLATFORM: 'web',
  APP_LANG: 'en',
  APP_ENV: 'test',
};
const credentials = { STAGING_ACCESS_TOKEN: 'token-in-process', STAGING_API_KEY: 'key-in-process' };

type Lines = Readonly<Record<string, string | undefined>>;

function load(own: Lines, secret: Lines = {}, processEnvironment: Lines = credentials, name = 'staging') {
  const text = (lines: Lines) =>
    Object.entries(lines)
      .flatMap(([key, value]) => (value === undefined ? [] : [`${key}=${value}`]))
      .join('\n');
  writeFileSync(join(folder, `${name}.env`), text(own));
  writeFileSync(join(folder, `${name}.secret.env`), text(secret));
  return loadEnvironment(name, { folder, processEnvironment });
}

function problems(...given: Parameters<typeof load>): string {
  try {
    load(...given);
  } catch (error) {
    assert.ok(error instanceof ConfigurationError, String(error));
    return error.message.replaceAll(folder, '');
  }
  return assert.fail('it was accepted');
}

test('a complete environment loads; absent settings have their defaults', () => {
  const environment = load(complete);
  assert.equal(environment.addresses.friends.href, 'https://friends.staging.test/api/');
  assert.deepEqual([...environment.allowedEffects], ['read']);
  assert.deepEqual(environment.blockListSegments, { n1: '0', n2: '100' });
  assert.equal(environment.isLoopback, false);
  assert.equal(environment.caller.accessToken?.reveal(), 'token-in-process');
});

test('the process environment outweighs the secret file', () => {
  const environment = load(
    complete,
    { ACCESS_TOKEN: 'token-in-file', API_KEY: 'key-in-file' },
    { STAGING_ACCESS_TOKEN: 'token-in-process' },
  );
  assert.equal(environment.caller.accessToken?.reveal(), 'token-in-process');
  assert.equal(environment.caller.apiKey?.reveal(), 'key-in-file');
});

test('a name with a hyphen has its secrets under an underscore', () => {
  const environment = load(
    complete,
    {},
    { EU_WEST_ACCESS_TOKEN: 'token-of-eu-west', EU_WEST_API_KEY: 'key-of-eu-west' },
    'eu-west',
  );
  assert.equal(environment.caller.apiKey?.reveal(), 'key-of-eu-west');
});

test('all problems come in one error', () => {
  const message = problems(
    { ...complete, FRIEND_URL: 'friends', CLIENT_ID: undefined, SLOW_AFTER_MS: 'soon', STORY_IDS: 'x' },
    {},
    {},
  );
  assert.match(message, /^Environment "staging" can't be used: 6 problems\.$/m);
  assert.match(message, /FRIEND_URL +"friends" is not a URL/);
  assert.match(message, /CLIENT_ID +is missing; expected: id of the calling client/);
  assert.match(message, /SLOW_AFTER_MS +"soon" is not a whole number from 1 to 600000/);
  assert.match(message, /STORY_IDS +is not a recognised key \(did you mean STORY_ID\?\)/);
  assert.match(message, /ACCESS_TOKEN +is missing; set it here, or as STAGING_ACCESS_TOKEN/);
  assert.match(message, /API_KEY +is missing/);
});

test('a secret in the committed file is an error that does not show it', () => {
  const message = problems({ ...complete, ACCESS_TOKEN: 'tok_committed_by_mistake' });
  assert.match(message, /ACCESS_TOKEN +is a secret, and this file belongs to the repository/);
  assert.doesNotMatch(message, /tok_committed/);
});

test('in a loopback environment the file may hold its secrets; one foreign address ends that', () => {
  const local = Object.fromEntries(
    Object.entries(complete).map(([key, value]) => [key, key.endsWith('_URL') ? 'http://127.0.0.1:4010' : value]),
  );
  const secrets = { ACCESS_TOKEN: 'token-in-own-file', API_KEY: 'key-in-own-file' };
  assert.equal(load({ ...local, ...secrets }, {}, {}).caller.accessToken?.reveal(), 'token-in-own-file');
  assert.match(
    problems({ ...local, ...secrets, STORAGE_URL: 'https://storage.staging.test' }, {}, {}),
    /ACCESS_TOKEN +is a secret/,
  );
});

const wrong: [key: string, value: string, expected: RegExp][] = [
  ['STORY_URL', 'https://stories.staging.example', /is still the placeholder https:\/\/stories\.staging\.example/],
  ['STORY_URL', 'https://<stories>', /is still the placeholder/],
  ['STORY_URL', 'ftp://stories.test', /not an http:\/\/ or https:\/\/ URL/],
  ['STORY_URL', 'https://me:pw@stories.test', /contains a user or a password/],
  ['STORY_URL', 'https://stories.test/?a=b', /contains a query or a fragment/],
  ['ALLOWED_EFFECTS', 'read,write', /"write" is not an effect; expected read, reversible, overwriting, irreversible/],
  ['BLOCK_LIST_SEGMENTS', '0-100', /is not two whole numbers; expected e\.g\. 0\/100/],
  ['STORED_ITEM_IDS', 'a,b,a', /contains "a" twice/],
  ['FRIEND_PROFILE_REQUEST', 'PUT /v1/profile/{userId}', /PUT may change data/],
  ['FRIEND_PROFILE_REQUEST', 'GET /v1/profile/{friendId}', /must contain \{userId\} once/],
  ['SUCCESS_WHEN', '/status=ok', /"ok" is not JSON; .*strings need quotes/],
  ['REQUEST_TIMEOUT_MS', '0', /is not a whole number from 1 to 600000/],
];

for (const [key, value, expected] of wrong) {
  test(`${key}=${value} is refused with a cure`, () => assert.match(problems({ ...complete, [key]: value }), expected));
}

test('a secret that is too short to be masked, or that no header can carry, is refused', () => {
  assert.match(
    problems(complete, {}, { ...credentials, STAGING_API_KEY: 'short' }),
    /API_KEY +has fewer than 8 characters/,
  );
  assert.match(
    problems(complete, {}, { ...credentials, STAGING_API_KEY: 'schlüssel-mit-ü' }),
    /contains a character that is not allowed in a header/,
  );
});

test('an unknown environment names its neighbours', () => {
  load(complete);
  assert.throws(() => loadEnvironment('stagign', { folder }), /did you mean staging\?/);
});

test('the second user’s token needs the second user', () => {
  assert.match(
    problems(complete, { FRIEND_ACCESS_TOKEN: 'token-of-the-friend' }),
    /FRIEND_USER_ID +is missing; FRIEND_ACCESS_TOKEN needs the id of its user/,
  );
});

test('SUCCESS_WHEN keeps a value that holds an equals sign', () => {
  assert.deepEqual(load({ ...complete, SUCCESS_WHEN: '/status="a=b"' }).successWhen, {
    pointer: '/status',
    value: 'a=b',
    text: '/status="a=b"',
  });
});
