import assert from 'node:assert/strict';
import { test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { codingOf, SharedBody } from './shared-body.ts';

const HTML = 'text/html; charset=utf-8';

test('a page is compressed; what is small or an image stays as it is', async () => {
  const body = Buffer.from('a line of a page\n'.repeat(1_000));
  const page = new SharedBody(body);
  const br = await page.for(HTML, 'br');
  assert.deepEqual(br.headers, { vary: 'accept-encoding', 'content-encoding': 'br' });
  assert.deepEqual(brotliDecompressSync(br.body), body);
  const gzip = await page.for('application/json', 'gzip');
  assert.deepEqual(gunzipSync(gzip.body), body);
  assert.deepEqual(await page.for('text/html'), { body, headers: { vary: 'accept-encoding' } });
  assert.deepEqual(await page.for('image/png', 'br'), { body, headers: {} });
  const small = Buffer.from('small');
  assert.deepEqual(await new SharedBody(small).for('text/html', 'br'), { body: small, headers: {} });
});

test('readers of one page share its bytes, compressed once for each coding', async () => {
  const page = new SharedBody('a line\n'.repeat(200));
  const all = await Promise.all(['br', 'br', 'gzip', '', ''].map((accepted) => page.for(HTML, accepted)));
  const [first, second, gzip, plain, again] = all.map(({ body }) => body);
  assert.equal(first, second);
  assert.equal(plain, again);
  assert.notEqual(gzip, first);
  assert.equal((await page.for(HTML, 'br')).body, first);
  assert.equal(plain?.toString(), 'a line\n'.repeat(200));
});

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
