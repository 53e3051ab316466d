import assert from 'node:assert/strict';
import { test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { codingOf, encoded } from './compression.ts';

const rows: [accepted: string, coding: 'br' | 'gzip' | undefined][] = [
  ['', undefined],
  ['identity', undefined],
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip', 'gzip'],
  ['GZIP;q=0.5', 'gzip'],
  ['br;q=0, gzip;q=0.1', 'gzip'],
  ['br; q=0', undefined],
  ['*', 'br'],
  ['*;q=0', undefined],
  ['br;q=0, *', 'gzip'],
];

test('the coding is one that the client accepts', () => {
  for (const [accepted, coding] of rows) assert.equal(codingOf(accepted), coding, accepted);
});

test('a page is compressed; what is small or an image stays as it is', async () => {
  const body = Buffer.from('a line of a page\n'.repeat(1_000));
  const br = await encoded(body, 'text/html; charset=utf-8', 'br');
  assert.deepEqual(br.headers, { vary: 'accept-encoding', 'content-encoding': 'br' });
  assert.deepEqual(brotliDecompressSync(br.body), body);
  const gzip = await encoded(body, 'application/json', 'gzip');
  assert.deepEqual(gunzipSync(gzip.body), body);
  assert.deepEqual(await encoded(body, 'text/html'), { body, headers: { vary: 'accept-encoding' } });
  assert.deepEqual(await encoded(body, 'image/png', 'br'), { body, headers: {} });
  const small = Buffer.from('small');
  assert.deepEqual(await encoded(small, 'text/html', 'br'), { body: small, headers: {} });
});
