import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { findLeaks } from './find-leaks.ts';
import { interrupted, kindsOfSecret, spellings } from './secret-spellings.ts';

const value = 'canary/+&"5f0c9d?=~71\\ab';
const wrapped = (text: string) => Buffer.from(`before ${text} after`);
const isFound = (text: string, secret = value) => findLeaks(wrapped(text), { TOKEN: secret }, '').length > 0;

test('finds a secret of each kind in every spelling, and in every one within every other', () => {
  for (const secret of [value, ...Object.values(kindsOfSecret)])
    for (const [inner, write] of Object.entries({ ...spellings, ...interrupted })) {
      assert.ok(isFound(write(secret), secret), `${inner}: ${secret}`);
      for (const [outer, again] of inner in spellings ? Object.entries(spellings) : [])
        assert.ok(isFound(again(write(secret)), secret), `${inner} in ${outer}: ${secret}`);
    }
});

/** The beginning of a ZIP file with one entry; `findLeaks` reads only this part. */
const zipped = (text: string) =>
  Buffer.concat([Buffer.from('PK\x03\x04'), Buffer.alloc(26), deflateRawSync(wrapped(text))]);

const rows: Record<string, Buffer> = {
  gzip: gzipSync(wrapped(value)),
  deflate: deflateSync(wrapped(value)),
  'a ZIP file': zipped(value),
  'a compressed file in base64 in JSON': Buffer.from(
    JSON.stringify({
      data: gzipSync(wrapped(Array.from({ length: 200 }, (_, i) => `${i * i}`).join() + value)).toString('base64'),
    }),
  ),
};

for (const [form, data] of Object.entries(rows)) {
  test(`finds a secret that is in ${form}`, () => {
    const [leak] = findLeaks(data, { TOKEN: value }, 'here');
    assert.deepEqual([leak?.secret, leak?.place], ['TOKEN', 'here']);
  });
}

test('finds nothing where there is nothing', () => {
  const data = JSON.stringify({ text: value.slice(0, 10), data: gzipSync('nothing here').toString('base64') });
  assert.deepEqual(findLeaks(Buffer.from(data), { TOKEN: value }, 'here'), []);
});
