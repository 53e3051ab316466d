import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ownFolder } from '../testing/servers/own-service.ts';
import { fileRoles } from './files/index.ts';
import { findSecrets, withSecretFiles } from './secrets.ts';

const folder = ownFolder();
const file = (name: string, text: string) => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};
const token = file('token', 'tok_from_a_file\n');
const other = file('other', 'tok_from_another');
const empty = file('empty', '\n');
const missing = join(folder, 'missing');

type Given = Record<string, string>;
const rows: [name: string, given: Given, expected: Given, problem?: RegExp][] = [
  ['no file', { TOKEN: 'plain', X_FILE: 'stays' }, { TOKEN: 'plain', X_FILE: 'stays' }],
  ['a file, without its last line end', { TOKEN_FILE: token }, { TOKEN: 'tok_from_a_file' }],
  ['both', { TOKEN: 'plain', TOKEN_FILE: token }, { TOKEN: 'plain' }, /^TOKEN_FILE is set as well as TOKEN/],
  ['an empty file', { TOKEN_FILE: empty }, {}, /^TOKEN_FILE names .*empty, which is empty$/],
  ['no such file', { TOKEN_FILE: missing }, {}, /^TOKEN_FILE names a file that can't be read: .*missing/],
  ['a folder', { TOKEN_FILE: folder }, {}, /^TOKEN_FILE names a file that can't be read: .*folder/],
  ['an empty name', { TOKEN_FILE: ' ' }, {}],
];
for (const [name, given, expected, problem] of rows)
  test(`secrets from files: ${name}`, () => {
    const found = withSecretFiles(given, ['TOKEN'], fileRoles.secrets);
    assert.deepEqual({ ...found.given }, expected);
    const texts = found.problems.map(({ key, text }) => `${key} ${text}`);
    assert.equal(texts.length, problem ? 1 : 0, texts.join());
    if (problem) assert.match(texts[0] ?? '', problem);
    assert.doesNotMatch(texts.join(), /tok_/);
  });

const sources = (own: Given, secret: Given, process: Given) => ({
  environment: 'my-staging',
  isLoopback: false,
  own: { file: 'my-staging.env', folder, raw: own },
  secret: { file: 'my-staging.secret.env', folder, raw: secret },
  process,
});

const places: [name: string, Parameters<typeof sources>, secret: string][] = [
  ['the process environment', [{}, {}, { MY_STAGING_ACCESS_TOKEN_FILE: token }], 'tok_from_a_file'],
  ['the file of secrets', [{}, { ACCESS_TOKEN_FILE: token }, {}], 'tok_from_a_file'],
  ['the own file, which may be committed', [{ ACCESS_TOKEN_FILE: token }, {}, {}], 'tok_from_a_file'],
  ['the own file, relative to it', [{ ACCESS_TOKEN_FILE: 'token' }, {}, {}], 'tok_from_a_file'],
  ['the file of secrets, relative to it', [{}, { ACCESS_TOKEN_FILE: './token' }, {}], 'tok_from_a_file'],
  [
    'the process environment before the file of secrets',
    [{}, { ACCESS_TOKEN: 'tok_of_the_file' }, { MY_STAGING_ACCESS_TOKEN_FILE: other }],
    'tok_from_another',
  ],
];
for (const [name, given, secret] of places)
  test(`a file of a secret, named in ${name}`, () => {
    const { secrets, problems } = findSecrets(sources(...given));
    assert.deepEqual(problems, []);
    assert.equal(secrets.ACCESS_TOKEN?.reveal(), secret);
  });

test('a file of a secret that is too short, and one that is missing', () => {
  const short = file('short', 'abc');
  const { problems } = findSecrets(sources({}, { ACCESS_TOKEN_FILE: short }, { MY_STAGING_API_KEY_FILE: missing }));
  assert.deepEqual(
    problems.map(({ file: place, key }) => `${place} ${key}`),
    ['process environment MY_STAGING_API_KEY_FILE', 'my-staging.secret.env ACCESS_TOKEN'],
  );
});
