import assert from 'node:assert/strict';
import { test } from 'node:test';
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { Redactor } from '../redaction/redactor.ts';
import { Secret } from '../redaction/secret.ts';
import { ResponseTooLarge, readBody } from './body.ts';

const redactor = new Redactor([new Secret('canary-12345678')]);
const text = '{"name":"Ada"}';

for (const [encoding, bytes] of [
  [undefined, Buffer.from(text)],
  ['identity', Buffer.from(text)],
  ['gzip', gzipSync(text)],
  ['X-GZIP', gzipSync(text)],
  ['deflate', deflateSync(text)],
  ['br', brotliCompressSync(text)],
  ['gzip, br', brotliCompressSync(gzipSync(text))],
] as const)
  test(`reads a body sent as ${encoding ?? 'it is'}`, async () => {
    const body = await readBody(bytes, encoding, 1_000, redactor);
    assert.deepEqual({ ...body }, { bytes: text.length, text, json: { ok: true, value: { name: 'Ada' } } });
  });

test('the limit counts decompressed bytes', async () => {
  await assert.rejects(readBody(gzipSync(Buffer.alloc(2_000)), 'gzip', 1_000, redactor), ResponseTooLarge);
});

for (const [problem, bytes, encoding] of [
  ['empty', '', undefined],
  ['not valid JSON', '{', undefined],
  ['not UTF-8', Buffer.from([0x22, 0xe9, 0x22]), undefined],
  ['not valid gzip (Z_DATA_ERROR)', 'no gzip at all', 'gzip'],
] as const)
  test(`says that a body is ${problem}`, async () => {
    const { json } = await readBody(Buffer.from(bytes), encoding, 1_000, redactor);
    assert.deepEqual(json, { ok: false, problem });
  });

test('a secret is out of text, values and keys', async () => {
  const sent = JSON.stringify({ 'canary-12345678': ['bearer canary-12345678'] });
  const body = await readBody(Buffer.from(sent), undefined, 1_000, redactor);
  assert.deepEqual(
    { ...body },
    {
      bytes: sent.length,
      text: '{"***":["bearer ***"]}',
      json: { ok: true, value: { '***': ['bearer ***'] } },
      masked: true,
    },
  );
});

test('UTF-16 is no JSON for HTTP, but is shown as what it says', async () => {
  for (const bytes of [Buffer.from('\ufeff{"a":1}', 'utf16le'), Buffer.from('\ufeff{"a":1}', 'utf16le').swap16()]) {
    const body = await readBody(bytes, undefined, 1_000, redactor);
    assert.deepEqual([body.text, body.json], ['{"a":1}', { ok: false, problem: 'not UTF-8' }]);
  }
});

const echoed = Buffer.from('{"a":"canary-12345678"}');
for (const [name, bytes, encoding] of [
  ['compressed without saying so', gzipSync(echoed), undefined],
  ['compressed once more than it says', gzipSync(deflateSync(zstdCompressSync(echoed))), 'gzip'],
  [
    'compressed in two parts, of which the second holds it',
    Buffer.concat([gzipSync(text), gzipSync(echoed)]),
    undefined,
  ],
  ['compressed and cut off', gzipSync(echoed).subarray(0, -6), undefined],
] as const)
  test(`a body that hides a secret is masked as a whole: ${name}`, async () => {
    const body = await readBody(bytes, encoding, 1_000, redactor);
    assert.deepEqual([body.text, body.masked], ['***', true]);
  });

test('a compressed body that hides nothing stays as it is', async () => {
  const bytes = gzipSync('{"a":"canary-1234567"}');
  const body = await readBody(bytes, undefined, 1_000, redactor);
  assert.deepEqual([body.text, body.masked], [bytes.toString('latin1'), undefined]);
});
