import assert from 'node:assert/strict';
import { test } from 'node:test';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
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
  const echoed = JSON.stringify({ 'canary-12345678': ['bearer canary-12345678'] });
  const body = await readBody(Buffer.from(echoed), undefined, 1_000, redactor);
  assert.deepEqual(
    { ...body },
    {
      bytes: echoed.length,
      text: '{"***":["bearer ***"]}',
      json: { ok: true, value: { '***': ['bearer ***'] } },
      masked: true,
    },
  );
});
