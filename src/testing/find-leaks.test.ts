import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deflateSync, gzipSync } from 'node:zlib';
import { findLeaks } from './find-leaks.ts';

const value = 'canary/+&"5f0c9d?=~71ab';
const wrapped = (text: string) => `before ${text} after`;

const rows: Record<string, Buffer | string> = {
  plain: wrapped(value),
  'URL-encoded': wrapped(encodeURIComponent(value)),
  JSON: JSON.stringify({ value }),
  HTML: wrapped(value.replaceAll('&', '&amp;').replaceAll('"', '&quot;')),
  base64: wrapped(Buffer.from(value).toString('base64')),
  base64url: wrapped(Buffer.from(value).toString('base64url')),
  'base64 behind a prefix of one byte': wrapped(Buffer.from(`:${value}`).toString('base64')),
  'base64 behind a prefix of two bytes': wrapped(Buffer.from(`::${value}`).toString('base64')),
  'base64 behind a slash': `https://host/${Buffer.from(`:${value}`).toString('base64')}`,
  gzip: gzipSync(wrapped(value)),
  deflate: deflateSync(wrapped(value)),
  'gzip in base64 in JSON': JSON.stringify({ data: gzipSync(wrapped(value)).toString('base64') }),
};

for (const [form, data] of Object.entries(rows)) {
  test(`finds a secret that is ${form}`, () => {
    const [leak] = findLeaks(Buffer.from(data as string), { TOKEN: value }, 'here');
    assert.deepEqual([leak?.secret, leak?.place], ['TOKEN', 'here']);
  });
}

test('finds nothing where there is nothing', () => {
  const data = JSON.stringify({ text: value.slice(0, 10), data: gzipSync('nothing here').toString('base64') });
  assert.deepEqual(findLeaks(Buffer.from(data), { TOKEN: value }, 'here'), []);
});
