import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { Writable } from 'node:stream';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { spellings } from '../testing/secret-spellings.ts';
import { withoutCommands } from './log-commands.ts';
import { guardOutput, keepSecrets, redact, redactAgain, redactJson, writeCommands } from './redact.ts';
import { Redactor } from './redactor.ts';
import { created, MASK, Secret } from './secret.ts';

/** A secret with characters that encodings write in different ways, and with parts that look like escapes. */
const secret = 'canary/Token+with=odd"chars&<more>%7e~\\n';
const redactor = new Redactor([new Secret(secret)]);

test('secrets that are added between searches are found as if all had been there at once', () => {
  const all = ['tok_ada/91d0+b6c3%e8a5', '12345678901234567890', 'pin 47 11 with blanks'].map(
    (each) => new Secret(each),
  );
  const forms = fc.tuple(fc.constantFrom(...all), fc.string(), fc.constantFrom(...Object.values(spellings)));
  const texts = forms.map(([each, around, write]) => around + write(each.reveal()) + around);
  fc.assert(
    fc.property(texts, fc.shuffledSubarray(all), (text, secrets) => {
      const growing = new Redactor();
      for (const each of secrets) {
        growing.text(text);
        growing.add(each);
      }
      assert.equal(growing.text(text), new Redactor(secrets).text(text));
    }),
  );
  const late = new Redactor([all[1] as Secret]);
  assert.equal(late.text('pin+47+11+with+blanks'), 'pin+47+11+with+blanks');
  late.add(all[2] as Secret);
  assert.equal(late.text('pin+47+11+with+blanks'), MASK);
});

test('redactors of one list share their search, but no secret that one of them gets later', () => {
  const secrets = [new Secret('tok_ada/91d0+b6c3%e8a5')];
  const late = new Secret('pin 47 11 with blanks');
  const [one, other] = [new Redactor(secrets), new Redactor(secrets)];
  const shown = () => [one, other].map((each) => [each.text(late.reveal()), each.recurring(late.reveal())]);
  assert.deepEqual(
    shown(),
    [late, late].map((each) => [each.reveal(), each.reveal()]),
  );
  one.add(late);
  assert.deepEqual(shown(), [
    [MASK, MASK],
    [late.reveal(), late.reveal()],
  ]);
  assert.equal(one.recurring('later-than-both'), 'later-than-both');
  one.add(new Secret('later-than-both'));
  assert.equal(one.recurring('later-than-both'), MASK);
  for (const each of [one, other]) assert.equal(each.recurring(secrets[0]?.reveal() ?? ''), MASK);
});

test('what holds no secret stays as it is', () => {
  const random = randomBytes(30_000);
  for (const text of [
    '{"a": 1.50,\r\n "b": "\\u002B%2B&amp;=3D=\\n", "c": 12345678901234567890}',
    random.toString('base64'),
    Buffer.from(random.toString('base64')).toString('base64'),
    random.toString('hex'),
    random.toString('latin1'),
    '日本語テキスト\ud83d\ude00\ud83d'.repeat(1_000),
    secret.slice(5),
    JSON.stringify([JSON.stringify([JSON.stringify({ a: '\\u002B"%2525\\\\"' })])]).repeat(1_000),
    new URLSearchParams({ a: random.toString('base64'), b: 'a=12&b=%2525' }).toString(),
    [1, 2, 3, 4].reduce((text) => Buffer.from(text).toString('base64'), 'The quick brown fox. '.repeat(1_000)),
    Buffer.from(secret.slice(0, -6)).toString('base64'),
  ]) {
    assert.equal(redactor.text(text), text);
    assert.equal(redactor.body(text), text);
  }
});

test('only the secret is masked, wherever it stands in a text of any length', () => {
  for (const length of [0, 1_000, 100_000]) {
    const around = 'x'.repeat(length);
    assert.equal(redactor.text(`${around}${secret}${around}`), `${around}${MASK}${around}`);
    const escaped = encodeURIComponent(encodeURIComponent(secret));
    assert.equal(redactor.text(`${around}?a=${escaped}&${around}`), `${around}?a=${MASK}&${around}`);
  }
});

test('two secrets that overlap are both masked', () => {
  const both = new Redactor([new Secret('abcdefgh'), new Secret('efghijkl')]);
  assert.equal(both.text('-abcdefghijkl-'), `-${MASK}-`);
});

const digits = new Redactor([new Secret('12345678'), new Secret('98765432109876543210')]);
for (const [body, expected] of [
  ['{"a":12345678}', '{"a":"***"}'],
  ['[ 9123456789, -1.5e3, 12 ]', '[ "***", -1.5e3, 12 ]'],
  ['[1.2345678e7]', '["***"]'],
  ['[98765432109876543210]', '["***"]'],
  // A service that stores numbers as doubles sends the secret number in this form.
  ['[98765432109876540000]', '["***"]'],
  ['{"12345678": "n 12345678", "a": "\\u0031\\u0032345678"}', '{"***": "n ***", "a": "***"}'],
  // The parser keeps only the last of two equal keys.
  ['{"a":"12345678","a":1}', '{"a":"***","a":1}'],
  ['12345678', '"***"'],
  ['"12345678"', '"***"'],
] as const)
  test(`a JSON body stays one: ${body}`, () => {
    assert.equal(digits.body(body), expected);
    assert.doesNotThrow(() => JSON.parse(expected));
  });

test('a JSON body stays one where a secret is written across its strings', () => {
  const odd = new Redactor([new Secret('one","two')]);
  assert.deepEqual(JSON.parse(odd.body('["one","two"]') ?? ''), [MASK]);
  assert.deepEqual(JSON.parse(odd.body('{"a":["one","two"]}') ?? ''), { a: [MASK] });
  assert.deepEqual(JSON.parse(new Redactor([new Secret('":{"b":"')]).body('{"a":{"b":"c"}}') ?? ''), MASK);
});

test('a typed array that was printed as JSON, within a string of a body, is masked alone', () => {
  const printed = JSON.stringify(Uint8Array.from(Buffer.from('12345678')));
  const body = JSON.stringify({ a: printed, b: 'seen' });
  assert.deepEqual(JSON.parse(digits.body(body) ?? ''), { a: '{"0":***}', b: 'seen' });
});

test('a JSON value is masked in its strings, keys and numbers, and keeps its shape', () => {
  const value = JSON.parse('{"a":["x12345678y"],"12345678":{"n":9123456789},"__proto__":{"b":"12345678"}}');
  const expected = JSON.parse(`{"a":["x***y"],"***":{"n":"***"},"__proto__":{"b":"${MASK}"}}`);
  assert.deepEqual(digits.json(value), expected);
  assert.equal(Object.getPrototypeOf(digits.json(value)), Object.prototype);
});

test('a body of 100,000 levels is masked without a stack overflow', () => {
  const depth = 100_000;
  const json = '['.repeat(depth) + JSON.stringify(secret) + ']'.repeat(depth);
  assert.equal(redactor.body(json), json.replace(JSON.stringify(secret), JSON.stringify(MASK)));
});

/** References to secrets, so that they stay in use. */
const all: Secret[] = [];
const value = (name: string) => `canary-of-${name}-4711`;
const make = (name: string) => all.push(new Secret(value(name)));

test('a text that comes again is searched for the secrets that came meanwhile', () => {
  const page = `<p>canary-that-comes-meanwhile-5d2</p>\n${'<p>a line of a page</p>\n'.repeat(1_000)}`;
  assert.equal(redactAgain(page), page);
  assert.equal(redactAgain(page), page);
  keepSecrets([new Secret('canary-that-comes-meanwhile-5d2')]);
  const masked = page.replace('canary-that-comes-meanwhile-5d2', MASK);
  for (let index = 0; index < 20; index++) {
    const other = `${page}${index}`;
    assert.equal(redactAgain(other), redact(other));
    assert.equal(redactAgain(page), masked);
  }
});

test('every secret in use is redacted, those that come later too', () => {
  assert.equal(redact(`a ${value('one')}`), `a ${value('one')}`);
  make('one');
  assert.equal(redact(`a ${value('one')}`), 'a ***');
  make('two');
  assert.equal(redact(`${value('two')}, ${value('one')}`), '***, ***');
  assert.deepEqual(redactJson({ [value('two')]: [value('one'), 1] }), { '***': ['***', 1] });
});

test('a secret that is kept outlives whatever referred to it', () => {
  keepSecrets([new Secret(value('kept'))]);
  assert.equal(redact(value('kept')), '***');
});

test('secrets that nothing refers to any more are forgotten once they are the most, so that a process that runs for months does not grow', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const passing = Array.from({ length: 200 }, (_, index) => value(`passing ${index}`));
  for (const each of passing) (() => new Secret(each))();
  assert.equal(redact(passing.join()), passing.map(() => '***').join());
  while (redact(passing.join()) !== passing.join()) {
    // `WeakRef.deref` keeps the object alive until the next turn of the event loop.
    await new Promise(setImmediate);
    collect();
    await new Promise(setImmediate);
    for (const each of passing) (() => new Secret(`later ${each}`))();
  }
  assert.ok(created.length < 1_000, `${created.length} of them`);
  assert.equal(redact(value('one')), '***');
});

test('what is written to a guarded output is redacted, text and bytes alike, and the rest stays as it is', () => {
  make('output');
  const written: Buffer[] = [];
  const stream = new Writable({ write: (chunk: Buffer, _, done) => done(void written.push(chunk)) });
  guardOutput([stream as unknown as NodeJS.WriteStream]);
  guardOutput([stream as unknown as NodeJS.WriteStream]);
  const bytes = Buffer.from([0xff, 0x00, 0x61]);
  let isDone = false;
  stream.write(`a ${value('output')}\n`);
  stream.write(Buffer.from(`b ${value('output')}`));
  stream.write(bytes, () => (isDone = true));
  assert.deepEqual(written.map(String), ['a ***\n', 'b ***', String(bytes)]);
  assert.deepEqual(written[2], bytes);
  assert.ok(isDone || stream.writableLength === 0);
});

/** Each row: a text of a service, and the text that the guard writes to the log of a pipeline instead. */
for (const [said, logged] of [
  ['::add-mask::a', ': :add-mask::a'],
  [
    'a\n \t\u00a0::stop-commands::x\r::error file=a,line=1::b',
    'a\n \t\u00a0: :stop-commands::x\r: :error file=a,line=1::b',
  ],
  ['\x1b[31m::group::a\x1b[39m', '\x1b[31m: :group::a\x1b[39m'],
  [
    'a ##[error]b ##vso[task.setvariable variable=c]d ##teamcity[e]',
    'a # #[error]b # #vso[task.setvariable variable=c]d # #teamcity[e]',
  ],
  ['###[error]', '## #[error]'],
  ['std::vector a::b::c, ::1, ## [heading](x)', 'std::vector a::b::c, ::1, ## [heading](x)'],
  ['{"a": "##[error] ::b::"}\n', '{"a": "\\u0023#[error] ::b::"}\n'],
] as const)
  test(`no text begins a command of a pipeline: ${JSON.stringify(said)}`, () => {
    assert.equal(withoutCommands(said), logged);
    const written: string[] = [];
    const stream = new Writable({ write: (chunk, _, done) => done(void written.push(String(chunk))) });
    const out = stream as unknown as NodeJS.WriteStream;
    guardOutput([out]);
    stream.write(said);
    stream.write(Buffer.from(said));
    writeCommands([redact('::notice::ours')], out);
    assert.deepEqual(written, [logged, logged, '::notice::ours\n']);
    if (said.startsWith('{')) assert.deepEqual(JSON.parse(logged), JSON.parse(said));
  });

test('a text of blank lines or marks costs one pass', () => {
  for (const text of ['\n'.repeat(1_000_000), ' '.repeat(1_000_000), '##'.repeat(1_000_000)])
    assert.equal(withoutCommands(text), text);
});
