import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseVariables, variableLine } from '../../environment/files/parse-variables.ts';
import { writeEnvironment } from '../../environment/write-environment.ts';
import { redact } from '../../redaction/index.ts';
import { areaIds, areas } from '../../service/index.ts';
import { postmanEnvironment } from '../../testing/import/exports.ts';
import { writeFiles } from '../../testing/own-folder.ts';
import { runInProcess } from '../../testing/programs/run-in-process.ts';
import { ownFolder } from '../../testing/servers/own-service.ts';
import { environmentText } from '../../testing/test-environment.ts';
import { importSource } from './import-variables.ts';
import { importAll } from './index.ts';
import { textSource } from './read-source.ts';

const folder = ownFolder();

const imported = (values: Readonly<Record<string, unknown>>) =>
  importSource(textSource(JSON.stringify(postmanEnvironment(values)), 'x.json'));

const CANARY = 'canary-7c1f/0+a9';

/** Imports an environment of Postman. Returns the text of the file that is for git, and the messages. */
function taken(values: Readonly<Record<string, unknown>>): { readonly text: string; readonly ignored: string } {
  // A file from which nothing can be imported is an error, so add a harmless value.
  const found = imported({ app_env: 'qa', ...values });
  writeEnvironment('git', found, { origin: 'Imported from x.json.', folder, force: true });
  return { text: readFileSync(join(folder, 'git.env'), 'utf8'), ignored: found.ignored.join('\n') };
}

test('the end of a key in PEM, which dotenv takes for a variable, is not named', () => {
  const { values, ignored, unknown } = importSource(
    textSource('user_id=ada\nKEY=-----BEGIN\ncanary7c1f0aZw==\n', 'x.env'),
  );
  assert.deepEqual([[...values.keys()], ignored, unknown], [['USER_ID'], ['KEY is not a recognised key'], 'KEY']);
});

const secretly: [name: string, values: Readonly<Record<string, unknown>>, left: RegExp][] = [
  ['a value that resolves to a key', { api_key: CANARY, type_name: '{{api_key}}' }, /type_name contains/],
  ['a part of one', { token: CANARY, user_id: 'u-{{token}}-1' }, /user_id contains/],
  ['through two variables', { password: CANARY, a: '{{password}}', flag_key: '{{a}}' }, /flag_key contains/],
  [
    'a variable that Postman calls a secret',
    { x: { value: CANARY, type: 'secret' }, client_id: '{{x}}' },
    /client_id contains/,
  ],
  ['base64 of one', { session: CANARY, client_id: btoa(CANARY) }, /client_id contains/],
  ['a bearer token without its scheme', { Authorization: `Bearer ${CANARY}`, user_id: CANARY }, /user_id contains/],
  [
    'an address with a password',
    { friend_url: `https://me:${CANARY}@a.test/` },
    /friend_url is an address with a user/,
  ],
  [
    'the same without a scheme’s slashes',
    { friend_url: `https:me:${CANARY}@a.test/` },
    /friend_url is an address with a user/,
  ],
  ['an address with a query', { story_url: `https://a.test/?key=${CANARY}` }, /story_url is an address with a query/],
];

for (const [name, values, left] of secretly)
  test(`${name} doesn't get into the file that is for git, and is named`, () => {
    const { text, ignored } = taken(values);
    assert.doesNotMatch(text, /canary|Y2FuYXJ5/);
    assert.match(ignored, left);
    assert.doesNotMatch(ignored, /canary/);
  });

test('what merely stands beside secrets is taken', () => {
  const { text } = taken({
    token_url: 'https://a.test/',
    friend_url: '{{token_url}}friends',
    api_key: '1',
    app_ver: '1',
  });
  assert.match(text, /^FRIEND_URL=https:\/\/a\.test\/friends$/m);
  assert.match(text, /^APP_VER=1$/m);
});

test('any value is read back as it was, or left out and named', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme', maxLength: 30 }),
      fc.string({ unit: fc.constantFrom(...' #\'"`\\\n=$a'), maxLength: 8 }),
      (a, b) => {
        const value = `${a}${b}`.trim();
        const line = variableLine('K', value);
        if (line === undefined) return;
        assert.deepEqual({ ...parseVariables(`A=1\n${line}B=2\n`) }, { A: '1', K: value, B: '2' });
      },
    ),
  );
  const { ignored } = imported({ app_env: 'qa', user_id: `'"\`#` });
  assert.deepEqual(ignored, ["user_id has a value that an environment file can't contain"]);
});

test('odd variables do no harm: no key, no value, one that names itself, a name that is no name', () => {
  const usual = Object.entries({ user_id: '{{user_id}}', client_id: 'c' }).map(([key, value]) => ({ key, value }));
  const odd = JSON.stringify({ values: [null, {}, { key: 'host' }, ...usual] });
  const { values, ignored } = importSource(textSource(odd, 'odd.json'));
  assert.deepEqual([...values], [['CLIENT_ID', 'c']]);
  assert.equal(ignored.length, 4);
  assert.match(ignored.join('; '), /user_id comes from \{\{user_id\}\}, which no given file defines/);
});

const long = (text: string) => text.repeat(300_000);
const exported = (values: object) => JSON.stringify(postmanEnvironment({ user_id: 'u', app_env: 'qa', ...values }));
const user = { key: 'user_id', value: 'u' };
const [a, b] = ['{{b}}'.repeat(2_000), '{{c}}'.repeat(2_000)];
const hostile: [name: string, text: string][] = [
  ['an address of slashes', JSON.stringify({ item: [{ request: `http://a${long('/')}x` }], variable: [user] })],
  ['an address of addresses', exported({ flag_key: long('a://') })],
  ['variables of variables', exported({ user_id: '{{a}}'.repeat(2_000), a, b, c: 'u' })],
  ['a name that does not end', `a${long(' ')}b\nuser_id=u\n`],
];
for (const [name, text] of hostile)
  test(`${name}: read as soon as any other file`, () => {
    const { values, ignored } = importSource(textSource(text, 'x.env'));
    assert.ok(values.has('USER_ID') || ignored.some((line) => line.startsWith('user_id comes from')));
  });

const put = (name: string, content: unknown) => join(writeFiles(folder, { [name]: content }), name);

const own = {
  base: 'https://f.qa.your.org',
  tok: { value: 'secret-of-the-team', type: 'secret' },
  FEATURE_TOGGLES_URL: 'https://t.qa.your.org',
};
const environment = put('e.json', postmanEnvironment(own, { name: 'qa' }));
const header = [
  { key: 'Authorization', value: 'bearer {{tok}}' },
  { key: 'mm-user-id', value: '{{me}}' },
];
const collection = put('c.json', {
  info: { name: 'ours' },
  item: [{ request: { method: 'POST', url: '{{base}}/v1/friends/block', header } }],
});

test('an environment and a collection give together what neither gives alone, in any order', () => {
  for (const files of [
    [environment, collection],
    [collection, environment],
  ]) {
    const { values, secrets, ignored, name } = importAll(files);
    assert.equal(name, files[0] === environment ? 'qa' : 'ours');
    assert.deepEqual(Object.fromEntries(values), {
      FEATURES_URL: 'https://t.qa.your.org',
      FRIEND_URL: 'https://f.qa.your.org',
    });
    assert.deepEqual([...secrets], [['ACCESS_TOKEN', 'secret-of-the-team']]);
    assert.match(ignored.join('; '), /comes from \{\{me\}\}, which no given file defines/);
  }
});

test('a secret of one file is in no value of another', () => {
  const other = put('o.env', 'FLAG_KEY=x-secret-of-the-team\nCLIENT_ID=c\n');
  const { values, ignored } = importAll([other, environment]);
  assert.deepEqual([...values.keys()].sort(), ['CLIENT_ID', 'FEATURES_URL']);
  assert.match(ignored.join('; '), /FLAG_KEY contains one of the secrets/);
});

test('the program takes several files, and ends with 1 while something is missing', async () => {
  process.env.SEXTANT_ENVIRONMENTS = folder;
  const { code, out } = await runInProcess(['environments', 'import', environment, collection, '--name', 'both']);
  assert.equal(code, 1, out);
  assert.match(out, /It is not complete yet:/);
  assert.match(readFileSync(join(folder, 'both.env'), 'utf8'), /^FRIEND_URL=https:\/\/f\.qa\.your\.org$/m);
});

test('what export writes for Postman is read back, but for the secrets, which it leaves out', async () => {
  const given = {
    ...Object.fromEntries(areaIds.map((area) => [areas[area].addressKey, `https://${area.toLowerCase()}.your.org`])),
    STORY_ID: 's-1',
    FLAG_KEY: 'f-1',
  };
  put('out.env', environmentText('https://a.test', given).replace(/^(ACCESS_TOKEN|API_KEY)=.*$/gm, ''));
  put('out.secret.env', 'ACCESS_TOKEN=token-of-this-test\nAPI_KEY=key-of-this-test\n');
  process.env.SEXTANT_ENVIRONMENTS = folder;
  const target = join(folder, 'postman');
  const { code, err } = await runInProcess(['export', '--env', 'out', '--format', 'postman', '--output', target]);
  assert.equal(code, 0, err);
  const files = globSync('*', { cwd: target });
  const { values, secrets, ignored } = importAll(files.map((file) => join(target, file)));
  for (const [key, value] of Object.entries(given)) assert.equal(values.get(key), value, `${key} from ${files}`);
  assert.deepEqual([...secrets], []);
  // Names of variables are not secrets, so redaction must not mask them.
  assert.match(redact(ignored.join('\n')), /^(?=.*API_KEY)(?!.*\*\*\*)/s);
});

test('keys that stated readings become facts', () => {
  const source = textSource('user_id=ada\nTYPE_VERSION_MEANS=copy\nPROFILES_ARE=nobody\n', 'old.env');
  const { values, facts, ignored } = importSource(source);
  assert.deepEqual([...values.keys()], ['USER_ID']);
  assert.deepEqual(
    Array.from(facts, ({ operation, question, answer }) => [operation, question, answer]),
    [['cloneType', 'type-version', 'copy']],
  );
  assert.deepEqual(ignored, ['PROFILES_ARE is a fact now, and Sextant does not understand its value']);
});

test('an old file is imported with its facts, which join those that are there', async () => {
  const own = ownFolder();
  process.env.SEXTANT_ENVIRONMENTS = own;
  const text = environmentText('http://127.0.0.1:9', { REPORTS_AGAIN_ARE: 'refused', UNKNOWN_USERS_ARE: 'accepted' });
  const known = {
    question: 'unknown-user',
    operation: 'block',
    answer: 'refused',
    evidence: 'mine',
    askedAt: '2026-11-27',
  };
  writeFiles(own, { 'old.env': text, 'new.facts.json': JSON.stringify({ facts: [known] }) });
  const before = await runInProcess(['environments', 'check', 'old']);
  assert.match(
    before.err,
    /REPORTS_AGAIN_ARE +is no key any more, but a fact; remove the key here, and add to .*old\.facts\.json: \{"operation": "report", "question": "repeat", "answer": "refused"/,
  );
  const { out } = await runInProcess(['environments', 'import', join(own, 'old.env'), '--name', 'new']);
  delete process.env.SEXTANT_ENVIRONMENTS;
  assert.match(out, /wrote .*new\.env.* and .*new\.facts\.json\./);
  const { facts } = JSON.parse(readFileSync(join(own, 'new.facts.json'), 'utf8')) as { facts: { answer: string }[] };
  assert.deepEqual(
    facts.map(({ answer }) => answer),
    ['refused', 'refused'],
  );
});
