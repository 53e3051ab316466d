import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deflateSync, gzipSync } from 'node:zlib';
import { chainName, encodeAll, formChains } from './echo/secret-forms.ts';
import { findLeaks } from './find-leaks.ts';

const value = 'canary/+&"5f0c9d?=~71\\ab';
const wrapped = (text: string) => Buffer.from(`before ${text} after`, 'latin1');

test('finds a secret in every form, and in every form within every other', () => {
  const missed = formChains().filter(
    (chain) => findLeaks(wrapped(encodeAll(value, chain)), { TOKEN: value }, '').length === 0,
  );
  assert.deepEqual(missed.map(chainName), []);
});

const rows: Record<string, Buffer> = {
  gzip: gzipSync(wrapped(value)),
  deflate: deflateSync(wrapped(value)),
  'gzip in base64 in JSON': Buffer.from(JSON.stringify({ data: gzipSync(wrapped(value)).toString('base64') })),
  'JSON in base64 in JSON': Buffer.from(
    JSON.stringify({ data: Buffer.from(JSON.stringify({ value: JSON.stringify(value) })).toString('base64') }),
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
