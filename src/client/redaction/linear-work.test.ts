import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { runToEnd } from '../../testing/programs/child.ts';
import { ManyStrings } from './many-strings.ts';
import { Redactor } from './redactor.ts';
import { MASK, Secret } from './secret.ts';

const secret = 'canary/Token+with=odd"chars&<more>%7e~\\n';
const redactor = new Redactor([new Secret(secret), new Secret('cafe0123456789abcdef')]);

/** Worst-case inputs for each step of the search, repeated. */
const patterns: Readonly<Record<string, string>> = {
  prose: 'The quick brown fox jumps over the lazy dog. ',
  'nested escapes': '%2525252525',
  'escapes that never end': '&#x0000041\\u{41\\u00',
  'ends of escapes': ';}',
  backslashes: '\\',
  'escaped backslashes': '\\u005c',
  'quoted-printable': '=3D',
  'soft breaks': '=\r\n',
  NULs: 'a\0',
  'base64 that reads alike from every character': 'VVVV',
  'base64 in short lines': 'abcdefghijklmnop\n',
  hexadecimal: '3636',
  'hexadecimal in pieces': '36 ',
  'beginnings of compressed data': 'H4sI eJwx 1f8b08 ',
  'compressed data': `${gzipSync('a'.repeat(30)).toString('base64')} `,
  'tags that never end': '<a ',
  tags: '<b>',
  'codes that never end': '&#0\\0',
  'numbers in JSON': '[12345678,',
  'the beginning of a secret': secret.slice(0, -1),
  'secrets side by side': secret,
  'secrets in base64': Buffer.from(secret.slice(0, 39)).toString('base64'),
};

const SMALL = 8_000;
const TIMES = 8;

/** CPU time of the quickest of three, in µs; of the first that is below `enough`. */
function cost(text: string, enough = 0): number {
  let quickest = Number.POSITIVE_INFINITY;
  for (let run = 0; run < 3 && quickest >= enough; run++) {
    const before = process.cpuUsage();
    redactor.body(text);
    quickest = Math.min(quickest, process.cpuUsage(before).user);
  }
  return quickest;
}

for (const [name, pattern] of Object.entries(patterns))
  test(`eight times the text is about eight times the work: ${name}`, (t) => {
    const text = (length: number) => pattern.repeat(Math.ceil(length / pattern.length));
    // The first time is the compiler's.
    cost(text(SMALL));
    const small = cost(text(SMALL));
    // Quadratic work would be 64 times; the clock counts thousands of µs at worst.
    const most = TIMES * 4 * Math.max(small, 2_000);
    const large = cost(text(SMALL * TIMES), most);
    t.diagnostic(`${small} µs, ${large} µs: ${(large / Math.max(small, 1)).toFixed(1)} times`);
    assert.ok(large < most, `${small} µs became ${large} µs`);
  });

const hostile: Readonly<Record<string, (length: number) => string>> = {
  // Many rounds of escapes, each of which leaves base64 that is base64 again wherever one begins to read it.
  'a text that was made to decode into more and more': (length) => `%25252525252541 =253D41 ${'V'.repeat(length)}`,
  'compressed data that becomes larger and larger': (length) => gzipSync('a'.repeat(length * 50)).toString('base64'),
};
for (const [name, text] of Object.entries(hostile))
  test(`${name} is masked as a whole`, () => {
    const large = text(60_000);
    assert.equal(redactor.text(large), MASK);
    assert.equal(redactor.body(JSON.stringify([large])), JSON.stringify(MASK));
    assert.equal(redactor.text(text(20)), text(20));
  });

test('a text of escapes fits into the small heap of a monitor', () => {
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
  // Each is added after a search, as the secrets of a run are.
  for (const string of strings) {
    all.length = 0;
    known.add([string, string]);
    known.find(text, 1, (start, end) => void all.push(`${start}-${end}`));
  }
  return all.sort();
}

function foundOneByOne(strings: readonly string[], text: string): string[] {
  return [...new Set(strings)]
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
