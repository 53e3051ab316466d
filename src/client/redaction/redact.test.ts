import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { guardOutput, keepSecrets, redact, redactJson } from './redact.ts';
import { Secret, secretsInUse } from './secret.ts';

const all: Secret[] = [];
const value = (name: string) => `canary-of-${name}-4711`;
const make = (name: string) => {
  const secret = new Secret(value(name));
  all.push(secret);
  return secret;
};

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
  const before = secretsInUse().length;
  const passing = Array.from({ length: 200 }, (_, index) => value(`passing ${index}`));
  for (const each of passing) (() => new Secret(each))();
  assert.equal(redact(passing.join()), passing.map(() => '***').join());
  while (secretsInUse().length > before || redact(passing.join()) !== passing.join()) {
    // To look at a secret keeps it for the rest of the turn.
    await new Promise(setImmediate);
    collect();
    await new Promise(setImmediate);
  }
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
  stream.write(bytes, () => {
    isDone = true;
  });
  assert.deepEqual(written.map(String), ['a ***\n', 'b ***', String(bytes)]);
  assert.deepEqual(written[2], bytes);
  assert.ok(isDone || stream.writableLength === 0);
});
