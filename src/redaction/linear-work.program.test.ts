import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import { runToEnd } from '../testing/programs/child.ts';
import { ManyStrings } from './many-strings.ts';
import { Redactor } from './redactor.ts';
import { Needles } from './search.ts';
import { MASK, Secret } from './secret.ts';

const random = (seed: string | number, length: number) =>
  createHash('shake256', { outputLength: length }).update(String(seed)).digest('base64url').slice(0, length);
/** JWTs of one issuer, which all begin with the same fifty characters. */
const jwt = (index: number) => `eyJhbGciOiJSUzI1NiIsInR5cCI6IkpXVCIsImtpZCI6IjEifQ.${random(index, 800)}`.slice(0, 800);
const secret = 'canary/Token+with=odd"chars&<more>%7e~\\n';
const values = [
  secret,
  'cafe0123456789abcdef',
  'aaaaaaaaaaaaaaaaaaaaaaaaab',
  ...Array.from({ length: 1_000 }, (_, index) => `tok_${random(index, 28)}`),
  ...Array.from({ length: 100 }, (_, index) => jwt(index)),
];
const needles = new Needles();
for (const value of values) needles.add(new Secret(value));

/** Patterns that, if repeated, give some step of the search as much work as possible. */
const hostile: Readonly<Record<string, string>> = {
  prose: 'The quick brown fox jumps over the lazy dog. ',
  'nested escapes': '%2525252525',
  'escapes that never end': '&#x0000041\\u{41\\u00',
  backslashes: '\\',
  'escaped backslashes': '\\u005c',
  'escaped letters': '\\u0041&#65;%41\\x41',
  'quoted-printable': '=3D',
  'soft breaks': '=\r\n',
  NULs: 'a\0',
  'base64 that reads alike from every character': 'VVVV',
  'base64 in short lines': 'abcdefghijklmnop\n',
  'base64 of escapes': Buffer.from('\\u0041%41').toString('base64'),
  hexadecimal: '3636',
  'hexadecimal in pairs': '36 ',
  numbers: '116, ',
  'tags that never end': '<a ',
  tags: '<b>',
  'colours that never end': '\x1b[1',
  'the beginning of a secret': secret.slice(0, -1),
  'the end of a secret': secret.slice(1),
  'the beginning of every JWT': jwt(0).slice(0, 51),
  'all but the last character of a JWT': jwt(0).slice(0, -1),
  'the end of a JWT': jwt(0).slice(-8),
  'one letter': 'a',
  'everything at once': '%2541=\n<b>\\u0041 &lt;116, 36 36 VVVV',
};

for (const [name, pattern] of Object.entries(hostile))
  test(`250,000 characters cost no more for each character than 10,000: ${name}`, (t) => {
    const text = (length: number) => pattern.repeat(Math.ceil(length / pattern.length));
    const [small, large] = [text(10_000), text(250_000)];
    const [few, many] = [needles.search(small).work / small.length, needles.search(large).work / large.length];
    t.diagnostic(`${few.toFixed(1)} and ${many.toFixed(1)} characters looked at for each`);
    assert.ok(many <= few * 1.1 + 0.1 && many <= 128, `${few} became ${many}`);
  });

test('a text that was made to look like a secret again and again is masked as a whole', () => {
  // At every position the text matches the ending of a hundred secrets of different lengths, so the search compares all of them.
  const alike = Array.from({ length: 100 }, (_, index) => new Secret(`b${'a'.repeat(100 + index)}`));
  const redactor = new Redactor(alike);
  const text = 'a'.repeat(100_000);
  assert.equal(redactor.text(text), MASK);
  assert.equal(redactor.body(JSON.stringify([text])), undefined);
  assert.equal(redactor.text('a'.repeat(90)), 'a'.repeat(90));
});

/** Largest size of a response by default, in bytes. */
const LARGE = 5_000_000;
const large = (pattern: string) => pattern.repeat(LARGE / pattern.length);
const likeToken = Buffer.from('tok_live_8Fz3kQ9vXw2LmN7RbT'.repeat(LARGE / 27)).toString('base64');
for (const [name, body, limits] of [
  ['escapes', large('\\u0041'), 'not read'],
  ['escapes of every kind', large('%2541=\n<b>\\u0041 &lt;116, 36 36 VVVV'), 'not read'],
  ['the end of a secret', large('a'), 'not read'],
  ['base64 that begins like a token', likeToken.slice(0, LARGE), 'read'],
  ['a picture in base64', random(0, LARGE), 'read'],
  [
    'records',
    JSON.stringify(Array(50_000).fill({ id: 12, name: 'Ann "A" Bo', url: 'https://a.test/?b=c&d=e' })),
    'read',
  ],
] as const)
  test(`a body of 5 MB is read with a bounded amount of work, or not at all: ${name}`, () => {
    const redactor = new Redactor([new Secret('tok_live_8Fz3kQ9vXw2LmN7RbT5c'), new Secret(`b${'a'.repeat(100)}`)]);
    assert.equal(redactor.body(body) === undefined ? 'not read' : 'read', limits);
  });

test('of a thousand tokens and a hundred JWTs each is masked', () => {
  const redactor = new Redactor(values.map((value) => new Secret(value)));
  for (const value of values) assert.equal(redactor.text(`?a=${encodeURIComponent(value)}&b`), `?a=${MASK}&b`);
});

test('a secret that is added costs no more with a thousand others than alone', () => {
  const added = (growing: Needles) => growing.add(new Secret('tok_that-was-just-issued'));
  assert.equal(added(needles), added(new Needles()));
});

test('a text of escapes fits into a small heap', () => {
  const own = (name: string) => JSON.stringify(pathToFileURL(join(import.meta.dirname, name)).href);
  const script = `import { Redactor } from ${own('redactor.ts')};
    import { Secret } from ${own('secret.ts')};
    console.log(new Redactor([new Secret('canary-0123456789')]).body('\\\\u0041'.repeat(300_000)).length);`;
  const flags = ['--max-old-space-size=50', '--max-semi-space-size=2', '--input-type=module'];
  const { stdout, stderr } = runToEnd(process.execPath, [...flags, '--eval', script]);
  assert.equal(stdout, '1800000\n', stderr);
});

function found(strings: readonly string[], text: string): string[] {
  const all: string[] = [];
  const known = new ManyStrings();
  // Each string is added after a search, because a run adds secrets between searches, too.
  for (const string of strings) {
    all.length = 0;
    known.add([string, string]);
    known.find(text, Number.POSITIVE_INFINITY, (start, end) => void all.push(`${start}-${end}`));
  }
  return all.sort();
}

function foundOneByOne(strings: readonly string[], text: string): string[] {
  return strings
    .flatMap((string) =>
      Array.from({ length: text.length }, (_, start) => start)
        .filter((start) => text.startsWith(string, start))
        .map((start) => `${start}-${start + string.length}`),
    )
    .sort();
}

test('it finds what looking for each string by itself finds', () => {
  const letters = (minLength: number, maxLength: number) =>
    fc.string({ unit: fc.constantFrom('a', 'b', '.', '\u0000', 'ÿ'), minLength, maxLength });
  fc.assert(
    fc.property(fc.uniqueArray(letters(1, 10), { minLength: 1, maxLength: 20 }), letters(0, 60), (strings, text) => {
      assert.deepEqual(found(strings, text), foundOneByOne(strings, text));
    }),
    { numRuns: 2_000 },
  );
});
