import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { findLeaks } from '../testing/find-leaks.ts';
import { exceptions, interrupted, kindsOfSecret, spellings, unmasked } from '../testing/secret-spellings.ts';
import { Redactor } from './redactor.ts';
import { MASK, Secret } from './secret.ts';

const all = Object.entries({ ...spellings, ...interrupted });

/** Whether the secret is masked, the text around it is unchanged, and at most a few other characters remain. */
const isMasked = (clean: string, shorterThan = 60) =>
  /^before .*\*\*\*.*after$/s.test(clean) && clean.length < shorterThan;

for (const [kind, value] of Object.entries(kindsOfSecret)) {
  const redactor = new Redactor([new Secret(value)]);
  const masked = (text: string) => redactor.text(`before ${text} after`);

  test(`a secret is masked in every spelling: ${kind}`, () => {
    const missed = all.filter(
      ([, write]) => !isMasked(masked(write(value))) || !isMasked(masked(JSON.stringify(write(value)))),
    );
    assert.deepEqual(
      missed.map(([name]) => name),
      [],
    );
  });

  test(`a secret is masked in every spelling once inside every other: ${kind}`, () => {
    const pairs = all.flatMap(([inner, write]) =>
      all.map(([outer, again]) => [inner, outer, again(write(value))] as const),
    );
    const missed = pairs.filter(([, , text]) => !isMasked(masked(text), Number.POSITIVE_INFINITY));
    assert.deepEqual(
      missed.map(([inner, outer]) => `${inner} in ${outer}`).filter((pair) => !exceptions.includes(pair)),
      [],
    );
  });

  test(`what is out of scope stays as it is, as the page says: ${kind}`, () => {
    for (const [name, write] of Object.entries(unmasked)) {
      const text = `before ${write(value)} after`;
      assert.equal(redactor.text(text), text, name);
    }
  });
}

test('whatever the secret and what stands around it, nothing is left that the search for canaries finds', () => {
  const printable = fc.string({ unit: fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code)) });
  // An incomplete escape next to a secret changes how readers decode the secret, so it is cut off.
  const before = printable.map((text) => text.replace(/(?:[\\%&=<"'][#\w{]*|[\da-fx ,:._+-]+)+$/i, ''));
  const after = printable.map((text) => text.replace(/^[#\w{};> ,"':._+\\-]+/, ''));
  const secrets = fc.tuple(fc.uuid(), printable).map(([id, odd]) => id.slice(0, 12) + odd.replace(/[\\%&<]/g, ''));
  const writes = fc.constantFrom(...Object.values(spellings));
  const outers = fc.constantFrom(...Object.values({ ...spellings, ...interrupted }));
  fc.assert(
    fc.property(secrets, writes, outers, before, after, (value, inner, outer, before, after) => {
      const clean = new Redactor([new Secret(value)]).text(`${before}${outer(inner(value))}${after}`);
      assert.ok(clean.includes(MASK), clean);
      assert.deepEqual(findLeaks(Buffer.from(clean), { value }, clean), []);
    }),
    { numRuns: 200 },
  );
});

/** Secrets that look as if they contained escapes, tags, encodings of other secrets, or patterns. */
for (const value of [
  'canary/Token+with=odd"chars&<more>%7e~\\n',
  'canary/\\nToken+with=odd"\\u0063hars&<more>',
  'cafe0123456789abcdef',
  '(a+)+$[^x]{2,}|\\d*?',
  '........',
  'password',
  'correct horse battery staple',
])
  test(`it is masked, and nothing else is: ${value}`, () => {
    const redactor = new Redactor([new Secret(value)]);
    for (const [name, write] of Object.entries(spellings))
      assert.ok(isMasked(redactor.text(`before ${write(value)} after`)), name);
    for (const other of [
      'passwor d',
      'a token with odd chars',
      'The quick brown fox',
      '{"a":[1,2.50]}',
      '(a+)+',
      '\\\\',
      '<b>',
      '%25',
    ])
      assert.equal(redactor.text(other), other);
  });

test('an entity in another case is no entity, and hides no secret all the same', () => {
  const redactor = new Redactor([new Secret('canary^Token|with')]);
  for (const text of ['canary&Hat;Token&verbar;with', 'canary&hat;token&verbar;with', 'CANARY&HAT;TOKEN&VERBAR;WITH'])
    assert.equal(redactor.text(text), MASK);
});

test('a secret in quoted-printable is masked behind a sign of equality with which it looks like an escape', () => {
  const redactor = new Redactor([new Secret('canary/Token+with=odd"chars')]);
  assert.equal(redactor.text('session=canary/Token+with=3Dodd"chars; Path=/'), `session=ca${MASK}; Path=/`);
});
