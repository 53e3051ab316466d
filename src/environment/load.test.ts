import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { areas } from '../service/index.ts';
import { ownFolder } from '../testing/servers/own-service.ts';
import { ConfigurationError } from './configuration-error.ts';
import { placeOfCredential } from './environment.ts';
import { shown } from './files/file-trouble.ts';
import { loadEnvironment } from './load.ts';

const folder = ownFolder();

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
const apiKey = { STAGING_API_KEY: 'key-in-process' };
const credentials = { ...apiKey, STAGING_ACCESS_TOKEN: 'token-in-process' };

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
    return error.message.replaceAll(folder, '').replaceAll(/ {2,}/g, '  ');
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

const file = (name: string, text: string) => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};
const tokenFile = file('token', 'tok_from_a_file\n');

const inSecret = { ACCESS_TOKEN: 'token-in-file' };
const inProcess = { STAGING_ACCESS_TOKEN: 'token-in-process' };
const withSpace = { STAGING_ACCESS_TOKEN: ' token-of-ada\n' };
const ofEuWest = { EU_WEST_ACCESS_TOKEN: 'token-of-eu-west', EU_WEST_API_KEY: 'key-in-process' };
const ofProcess = { STAGING_ACCESS_TOKEN_FILE: file('other', 'tok_from_another') };

const local: Lines = {
  ...complete,
  ...Object.fromEntries(Object.values(areas).map(({ addressKey }) => [addressKey, 'http://127.0.0.1:4010'])),
  ACCESS_TOKEN: 'token-in-own-file',
  API_KEY: 'key-in-own-file',
};

/** The place of a token in a file, as `readFrom` names it. */
const inFile = (name: string, key = 'ACCESS_TOKEN') => `${key} in ${name}`;
const [ownFile, secretFile] = ['staging.env', 'staging.secret.env'];
const asFile = 'ACCESS_TOKEN_FILE';
type Place = [name: string, own: Lines, secret: Lines, process: Lines, token: string, at: string, environment?: string];
const places: Place[] = [
  ['the file of secrets', {}, inSecret, {}, 'token-in-file', inFile(secretFile)],
  ['the process, before that', {}, inSecret, inProcess, 'token-in-process', 'STAGING_ACCESS_TOKEN'],
  ['the process, without space around it', {}, {}, withSpace, 'token-of-ada', 'STAGING_ACCESS_TOKEN'],
  ['a file of the process, before that', {}, inSecret, ofProcess, 'tok_from_another', 'STAGING_ACCESS_TOKEN_FILE'],
  ['a file of the file of secrets', {}, { [asFile]: tokenFile }, {}, 'tok_from_a_file', inFile(secretFile, asFile)],
  ['one that is relative to it', {}, { [asFile]: './token' }, {}, 'tok_from_a_file', inFile(secretFile, asFile)],
  ['a file of the own file, committed', { [asFile]: tokenFile }, {}, {}, 'tok_from_a_file', inFile(ownFile, asFile)],
  ['one that is relative to that', { [asFile]: 'token' }, {}, {}, 'tok_from_a_file', inFile(ownFile, asFile)],
  ['the own file, where that is loopback', local, {}, {}, 'token-in-own-file', inFile(ownFile)],
  [
    'the process, under an underscore for a hyphen',
    {},
    {},
    ofEuWest,
    'token-of-eu-west',
    'EU_WEST_ACCESS_TOKEN',
    'eu-west',
  ],
];
for (const [name, own, secret, process, token, at, environment] of places)
  test(`the token is from ${name}`, () => {
    const loaded = load({ ...complete, ...own }, secret, { ...apiKey, ...process }, environment);
    const { caller } = loaded;
    assert.equal(caller.accessToken?.reveal(), token);
    assert.equal(placeOfCredential(loaded, 'ACCESS_TOKEN').replace(shown(folder), '').replace(' in /', ' in '), at);
    assert.equal(caller.apiKey?.reveal(), 'key-in-process');
  });

const issuedAt: [name: string, own: Lines, secret: Lines, process: Lines, at: string][] = [
  ['a command of the process', {}, {}, { STAGING_ACCESS_TOKEN_COMMAND: 'vault' }, 'STAGING_ACCESS_TOKEN_COMMAND'],
  ['a command', { ACCESS_TOKEN_COMMAND: 'vault' }, {}, {}, inFile(ownFile, 'ACCESS_TOKEN_COMMAND')],
  ['a server of tokens', { TOKEN_URL: 'https://login.staging.test/token' }, {}, {}, inFile(ownFile, 'TOKEN_URL')],
  ['a provisioner', { PROVISION_URL: 'http://127.0.0.1:9/' }, {}, {}, 'ACCESS_TOKEN of staging'],
];
for (const [name, own, secret, process, at] of issuedAt)
  test(`the place of a token that is issued by ${name}`, () => {
    const loaded = load({ ...complete, ...own }, secret, { ...apiKey, ...process });
    assert.equal(placeOfCredential(loaded, 'ACCESS_TOKEN').replace(shown(folder), '').replace(' in /', ' in '), at);
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

const FILE = 'ACCESS_TOKEN_FILE';
const noFile = "names a file that can't be read";
const withToken = { STAGING_ACCESS_TOKEN: 'token-of-ada' };
const withKey = (value: string) => ({ ...withToken, STAGING_API_KEY: value });

/**
 * Each row: changes to the own file of a complete environment, variables in the file of secrets, variables of the process, and the expected
 * problem.
 */
const rows: [own: Lines, secret: Lines, process: Lines, says: string][] = [
  [{ ACCESS_TOKEN: 'canary-committed' }, {}, credentials, 'ACCESS_TOKEN  is a secret, and this file belongs to the'],
  // One address of another machine makes the environment remote, in spite of its loopback addresses.
  [{ ...local, STORAGE_URL: 'https://storage.staging.test' }, {}, {}, 'ACCESS_TOKEN  is a secret'],
  [{ ...local, STORY_URL: undefined }, {}, {}, ': 1 problem.\n  /staging.env\n  STORY_URL  is missing'],
  [{}, {}, withKey('short'), 'API_KEY  has fewer than 8 characters'],
  [{}, {}, withKey('schlüssel-mit-ü'), 'a character that is not allowed in a header'],
  [{}, {}, withKey('k'.repeat(16_001)), 'process environment\n  API_KEY  has 16001 characters'],
  [{}, { API_KEY: '"          "' }, withToken, 'API_KEY  is blank'],
  [{}, { FRIEND_ACCESS_TOKEN: 'token-of-the-friend' }, credentials, 'FRIEND_USER_ID  is missing; FRIEND_ACCESS_TOKEN'],
  [{}, { ...inSecret, [FILE]: tokenFile }, apiKey, `${FILE}  is set as well as ACCESS_TOKEN`],
  [{}, { [FILE]: file('empty', '\n') }, apiKey, `${FILE}  names /empty, which is empty`],
  [{}, { [FILE]: 'missing' }, apiKey, `secret.env\n  ${FILE}  ${noFile}: /missing`],
  [{}, { [FILE]: '.' }, apiKey, `${FILE}  ${noFile}`],
  [{}, { [FILE]: ' ' }, apiKey, 'ACCESS_TOKEN  is missing'],
  [{}, { [`FRIEND_${FILE}`]: 'gone' }, apiKey, '  ACCESS_TOKEN  is missing'],
  [{}, { [FILE]: file('short', 'canary') }, apiKey, 'ACCESS_TOKEN  has fewer than 8 characters'],
  [{}, {}, { ...apiKey, STAGING_ACCESS_TOKEN_FILE: 'gone' }, `process environment\n  STAGING_${FILE}  ${noFile}: gone`],
  // Keys that have a meaning for every JavaScript object.
  [{ ['__proto__']: 'x' }, {}, credentials, '__proto__  is not a recognised key'],
  [{ ['constructor']: 'x' }, {}, credentials, 'constructor  is not a recognised key'],
  [{}, { ACCESS_TOKEN: 'your-access-token' }, {}, 'ACCESS_TOKEN  is still a placeholder'],
  [{ CLIENT_ID: 'your-client-id' }, {}, credentials, 'CLIENT_ID  is still the placeholder'],
  [{ USER_ID: '<user>' }, {}, credentials, 'USER_ID  is still the placeholder'],
  [{ APP_BUNDLE: 'your.bundle' }, {}, credentials, 'APP_BUNDLE  is still the placeholder'],
  [{ STORY_ID: '{{story}}' }, {}, credentials, 'STORY_ID  is still the placeholder'],
  [{ STORY_ID: `\${STORY}` }, {}, credentials, `STORY_ID  is \${STORY}, the name of a variable`],
  [
    { FRIEND_URL: `https://\${HOST}/api` },
    {},
    credentials,
    `FRIEND_URL  contains \${HOST}, but variables are not expanded`,
  ],
  [{ FRIEND_URL: 'https://$HOST/api' }, {}, credentials, 'FRIEND_URL  contains $HOST, but variables are not expanded'],
  [
    { FRIEND_URL: 'https://%HOST%/api' },
    {},
    credentials,
    'FRIEND_URL  contains %HOST%, but variables are not expanded',
  ],
  [{ FLAG_KEY: 'changeme' }, {}, credentials, 'FLAG_KEY  is still the placeholder'],
  // The part of an address before its host may be a password, so no message shows it.
  ...['ftp://me:pw-canary@a.test', 'https://me:pw-canary@<host>', 'me:pw-canary@a.test', '//x:pw-canary@'].map(
    (STORY_URL): (typeof rows)[number] => [{ STORY_URL }, {}, credentials, 'STORY_URL  contains a user or a password'],
  ),
];
for (const [own, secret, process, says] of rows)
  test(`${JSON.stringify([own, secret, process]).slice(0, 150)} is refused, and no secret is shown`, () => {
    const text = problems({ ...complete, ...own }, secret, process);
    assert.ok(text.includes(says), text);
    assert.doesNotMatch(text, /canary/);
  });

/** Texts that people paste instead of a token, each with the problem that loading reports. */
const variable = 'is the name of a variable, which nothing has replaced';
const pasted: [value: string, says: string][] = [
  ['$QA_ACCESS_TOKEN', variable],
  ['$(QA_ACCESS_TOKEN)', variable],
  ['%QA_ACCESS_TOKEN%', variable],
  [`\${QA_ACCESS_TOKEN}`, variable],
  [`\${QA_ACCESS_TOKEN:-none}`, variable],
  ['$env:QA_ACCESS_TOKEN', variable],
  ['$$QA_ACCESS_TOKEN', variable],
  ['#{QA_ACCESS_TOKEN}#', variable],
  ['__QA_ACCESS_TOKEN__', variable],
  [`\${{ secrets.ACCESS_TOKEN }}`, 'is still a placeholder'],
  ['[MASKED]', 'is a mask'],
  ['**********', 'is a mask'],
  ['••••••••••', 'is a mask'],
  ['[REDACTED]', 'is a mask'],
  ['undefined', 'is what a program prints for a value that it does not have'],
  ['[object Object]', 'is what a program prints'],
  ['"$QA_ACCESS_TOKEN"', variable],
  ['Bearer $(QA_ACCESS_TOKEN)', variable],
  ['{"access_token":"tok-canary-0123"}', 'is JSON, and not the value alone'],
];
for (const [value, says] of pasted)
  test(`the token ${value} is a problem`, () => {
    const text = problems(complete, {}, { ...apiKey, STAGING_ACCESS_TOKEN: value });
    assert.ok(text.includes(`process environment\n  ACCESS_TOKEN  ${says}`), text);
    assert.match(text, /1 problem\./);
  });

/** Odd values that may be intended. Loading accepts them, and some cause a warning. */
const odd: [own: Lines, secret: Lines, process: Lines, warns: RegExp | undefined][] = [
  [
    {},
    {},
    { STAGING_ACCESS_TOKEN: '"tok-canary-0123"' },
    /^process environment: ACCESS_TOKEN is in quotes, which are sent/,
  ],
  [{}, {}, { STAGING_ACCESS_TOKEN: "'tok-canary-0123'" }, /ACCESS_TOKEN is in quotes/],
  [{}, {}, { STAGING_ACCESS_TOKEN: 'Bearer tok-canary-0123' }, /ACCESS_TOKEN begins with the word Bearer/],
  [{}, {}, { STAGING_ACCESS_TOKEN: 'authorization: bearer tok-canary' }, /ACCESS_TOKEN begins with the word Bearer/],
  [{}, {}, { STAGING_ACCESS_TOKEN: 'tok canary 0123' }, /ACCESS_TOKEN contains a blank/],
  [{}, { [FILE]: file('line', 'ACCESS_TOKEN=tok-canary-0123\n') }, {}, /ACCESS_TOKEN begins with a name and "="/],
  [{}, {}, { STAGING_ACCESS_TOKEN: 'export TOKEN=tok-canary-0123' }, /contains a blank/],
  [{}, {}, { STAGING_ACCESS_TOKEN: '$ecret123' }, /ACCESS_TOKEN may be the name of a variable/],
  [{}, {}, { STAGING_ACCESS_TOKEN: `pre-\${STAGE}-canary` }, /ACCESS_TOKEN contains a variable/],
  [{}, {}, { STAGING_ACCESS_TOKEN: 'tok-****-canary' }, /ACCESS_TOKEN contains a mask/],
  [{}, {}, { STAGING_ACCESS_TOKEN: 'op://vault/canary/token' }, /ACCESS_TOKEN may be the name of a secret in a store/],
  [{}, {}, { STAGING_API_KEY: 'mm-api-key: canary-0123' }, /API_KEY begins with a name/],
  [
    {},
    { ACCESS_TOKEN: 'tok-canary-0#123456789' },
    apiKey,
    /staging\.secret\.env, line 1, ACCESS_TOKEN: the value ends before #/,
  ],
  [{ USER_ID: 'ann#2' }, {}, {}, /staging\.env, line \d+, USER_ID: the value ends before #/],
  [{ STORY_ID: '#12' }, {}, {}, /STORY_ID: the value ends before #/],
  [{ STORY_ID: "'a#12' # a story" }, {}, {}, undefined],
  [{ STORY_ID: 'a # a story, b#2' }, {}, {}, undefined],
  [{ STORY_ID: '"a#12"# a story' }, {}, {}, undefined],
  [{ STORY_ID: '"a#12' }, {}, {}, /STORY_ID: the value ends before #/],
  [{ STORY_ID: '"a"b#12' }, {}, {}, /STORY_ID: the value ends before #/],
  [{ STORY_ID: 'one\nSTORY_ID=two' }, {}, {}, /line \d+, STORY_ID: line \d+ has this key again/],
  [{ USER_ID: `ann-\${STAGE}` }, {}, {}, /staging\.env: USER_ID contains a variable, but variables are not expanded/],
  [{ FLAG_VALUE: '"\'on\'"' }, {}, {}, /FLAG_VALUE is in quotes/],
];
for (const [own, secret, process, warns] of odd)
  test(`${JSON.stringify([own, secret, process]).slice(0, 100)}: ${warns ?? 'no warning'}`, () => {
    const token = secret.ACCESS_TOKEN || secret[FILE] ? apiKey : credentials;
    const { warnings = [] } = load({ ...complete, ...own }, secret, { ...token, ...process });
    assert.equal(warnings.length, warns ? 1 : 0, warnings.join('\n'));
    if (warns) assert.match(warnings.join(), warns);
    assert.doesNotMatch(warnings.join(), /canary/);
  });

test('a file that is something else is not printed at length', () => {
  const text = problems(Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [`K${n}${'x'.repeat(100)}`, 'y'])));
  assert.ok(text.length < 10_000, `${text.length} characters`);
  assert.match(text, /\n {2}and \d+ more$/);
});

test('a name is a name, not a path', () => {
  for (const name of ['../evil', '../../x/evil', 'a/b', '.', '', 'a.b', '__proto__', 'a'.repeat(65), 'a\u0000'])
    assert.throws(() => loadEnvironment(name, { folder }), /is not a valid environment name/, name);
});

test('an unknown environment names its neighbours', () => {
  load(complete);
  assert.throws(() => loadEnvironment('stagign', { folder }), /did you mean staging\?/);
});

const stray = 'is not KEY=value, so it would be ignored';
for (const [what, more, says] of [
  ['without =', 'MAX_REQUESTS_PER_SECOND 1', `line 1  ${stray} (did you mean MAX_REQUESTS_PER_SECOND?)`],
  [
    'with a letter that only looks like A',
    '\u0410LLOWED_EFFECTS=read',
    `line 1  ${stray} (did you mean ALLOWED_EFFECTS?)`,
  ],
  ['after a quoted value of two lines', "STORY_ID='a\nb'\nnonsense", `line 3  ${stray}`],
  ['below a comment', '# x\n\nexport FLAG_KEY', `line 3  ${stray} (did you mean FLAG_KEY?)`],
] as const)
  test(`a line ${what} is a problem like others`, () => {
    writeFileSync(join(folder, 'stray.env'), `${more}\n`);
    assert.throws(
      () => loadEnvironment('stray', { folder, processEnvironment: {} }),
      (error: Error) =>
        error.message.replaceAll(/ {2,}/g, '  ').includes(`\n  ${says}\n`) && /FRIEND_URL/.test(error.message),
    );
  });

// dotenv would read the last two lines as variables. They look like the end of base64, e.g. of a PEM key.
for (const line of ['tok_91d0b6c3e8a54f27', 'tok_91d0b6c3e8a54f27Zw==', 'export tok_91d0b6c3e8a54f2= '])
  test(`a stray line of secrets is named by its number alone: ${line}`, () => {
    writeFileSync(join(folder, 'stray.env'), '');
    writeFileSync(join(folder, 'stray.secret.env'), `${line}\n`);
    const load = () => loadEnvironment('stray', { folder, processEnvironment: {} });
    assert.throws(load, (error: Error) => /line 1 /.test(error.message) && !error.message.includes('tok_'));
  });

test('a variable for the addresses of --set that --set did not write is one clear error', () => {
  const given = { ...credentials, SEXTANT_SET: 'FRIEND_URL=https://pr-17.your.org' };
  assert.throws(() => load(complete, {}, given), {
    name: ConfigurationError.name,
    message: /^SEXTANT_SET .* use --set\.$/,
  });
});
