import assert from 'node:assert/strict';
import type { RequestListener, ServerResponse } from 'node:http';
import { after, test } from 'node:test';
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { operation } from '../../spec/index.ts';
import {
  bodyPlaces,
  groupsOf,
  type HeadPlace,
  headPlaces,
  send as sendEchoed,
} from '../../testing/echo/echoing-service.ts';
import { type SecretForm, secretForms } from '../../testing/echo/secret-forms.ts';
import { findLeaks } from '../../testing/find-leaks.ts';
import { http, listening } from '../../testing/servers/listening.ts';
import { Redactor } from '../redaction/redactor.ts';
import { Secret } from '../redaction/secret.ts';
import { ResponseTooLarge, readBody } from './body.ts';
import type { Exchange } from './exchange.ts';
import { NodeTransport } from './node-transport.ts';
import { send } from './transport.ts';

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
  const { bytes, text, json, masked } = await readBody(Buffer.from(sent), undefined, 1_000, redactor);
  assert.deepEqual([bytes, text, masked], [sent.length, '{"***":["bearer ***"]}', true]);
  assert.deepEqual(json, { ok: true, value: { '***': ['bearer ***'] } });
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
  ['compressed in two parts, the second with it', Buffer.concat([gzipSync(text), gzipSync(echoed)]), undefined],
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

const value = 'canary+user/5f0c9d?a=~71&"ab<e\\n%41';
const ofCanary = new Redactor([new Secret(value)]);

let answer: RequestListener = () => {};
const service = await listening(http.createServer((request, response) => answer(request, response)));
const transport = new NodeTransport();
after(() => {
  transport.close();
  return service.stop();
});

function exchangeWith(listener: RequestListener): Promise<Exchange> {
  answer = listener;
  const prepared = { method: 'GET', url: `${service.url}/v1`, headers: {}, credentials: new Map<string, string>() };
  const options = { timeoutMs: 20_000, maxBytes: 100_000, maxHeaderBytes: 100_000, redactor: ofCanary };
  return send(transport, operation('listBlocked'), prepared, {}, options);
}

type Say = (response: ServerResponse, texts: readonly string[]) => unknown;

async function assertAllMasked(forms: readonly SecretForm[], place: string, say: Say): Promise<void> {
  for (const group of groupsOf(forms)) {
    const what = `${group.map(({ name }) => name)} in ${place}`;
    const texts = group.map(({ encode }) => encode(value));
    const { echoedSecret, response, failure } = await exchangeWith((_, response) => say(response, texts));
    assert.equal(echoedSecret, true, what);
    const { body, ...head } = response ?? assert.fail(`${what}: ${failure?.reason}`);
    const kept = JSON.stringify([head, body.text, body.json]);
    assert.deepEqual(findLeaks(Buffer.from(kept), { value }, what), []);
  }
}

/** A body that can't be decoded is described by its encodings. */
const encodings: HeadPlace = {
  name: 'Content-Encoding',
  fits: /^[\x20-\x7e]+$/,
  say: (response, texts) => response.setHeader('content-encoding', ['gzip', ...texts].join(', ')),
};

for (const { name, fits, say } of [...headPlaces, encodings])
  test(`a credential that comes back is masked and noted: ${name}`, async () => {
    const fitting = secretForms.filter(({ encode }) => fits.test(encode(value)));
    assert.ok(fitting.length >= 8, `${fitting.length} forms`);
    await assertAllMasked(fitting, name, (response, texts) => {
      say(response, texts);
      response.setHeader('content-type', 'application/json').end('{}');
    });
  });

for (const [name, compose] of Object.entries(bodyPlaces))
  test(`a credential that comes back is masked and noted: ${name}`, () =>
    assertAllMasked(secretForms, name, (response, texts) => sendEchoed(response, compose(texts))));

test('an answer that repeats nothing is handed on to the byte, and nothing is noted', async () => {
  const text = '{ "a": 1.50, "b": "\\u002B%2B" }';
  const { response, ...exchange } = await exchangeWith((_, reply) => {
    reply.writeHead(200, 'Fine', { 'x-token': 'other', 'content-type': 'application/json' }).end(text);
  });
  assert.deepEqual([exchange.echoedSecret, response?.body.text, response?.statusText], [undefined, text, 'Fine']);
  assert.equal(response?.headers.slice(0, 2).join(), 'x-token,other,content-type,application/json');
});
