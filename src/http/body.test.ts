import assert from 'node:assert/strict';
import type { RequestListener, ServerResponse } from 'node:http';
import { after, test } from 'node:test';
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { Redactor } from '../redaction/redactor.ts';
import { Secret } from '../redaction/secret.ts';
import { operation } from '../service/index.ts';
import { groupsOf, printable, type SecretForm, secretForms } from '../testing/echoing-service.ts';
import { findLeaks } from '../testing/find-leaks.ts';
import { http, listening } from '../testing/servers/listening.ts';
import { ResponseTooLarge, readBody } from './body.ts';
import type { Exchange } from './exchange.ts';
import { NodeTransport } from './node-transport.ts';
import { send, type Transport } from './transport.ts';

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
  ['gzip, but no Content-Encoding says so', gzipSync(text), undefined],
  ['zstd, but no Content-Encoding says so', zstdCompressSync(text), undefined],
  ['gzip, but no Content-Encoding says so', gzipSync(gzipSync(text)), 'gzip'],
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

const value = 'canary+user/5f0c9d?a=~71&"ab<e\\n%41';
const ofCanary = new Redactor([new Secret(value)]);

let answer: RequestListener = () => {};
const service = await listening(http.createServer((request, response) => answer(request, response)));
const transport = new NodeTransport();
after(() => {
  transport.close();
  return service.stop();
});

function exchangeWith(listener: RequestListener, maxBytes = 100_000): Promise<Exchange> {
  answer = listener;
  const prepared = { method: 'GET', url: `${service.url}/v1`, headers: {}, credentials: new Map<string, string>() };
  const options = { timeoutMs: 60_000, maxBytes, maxHeaderBytes: 100_000, redactor: ofCanary };
  return send(transport, operation('listBlocked'), prepared, {}, options);
}

test('a library that asks another origin, as for a redirect, gets no credential to it', async (t) => {
  const arrived: (string | undefined)[] = [];
  const elsewhere = await listening(
    http.createServer(({ headers }, response) => {
      arrived.push(headers.authorization);
      response.end('{}');
    }),
  );
  t.after(elsewhere.stop);
  const prepared = {
    method: 'GET',
    url: `${service.url}/v1`,
    headers: { Authorization: 'bearer ***' },
    credentials: new Map([['Authorization', `bearer ${value}`]]),
  };
  const options = { timeoutMs: 20_000, maxBytes: 100_000, maxHeaderBytes: 100_000, redactor: ofCanary };
  const straying: Transport = { request: (asked) => transport.request({ ...asked, url: new URL(elsewhere.url) }) };
  answer = ({ headers }, response) => {
    arrived.push(headers.authorization);
    response.end('{}');
  };
  for (const each of [transport, straying]) await send(each, operation('listBlocked'), prepared, {}, options);
  assert.deepEqual(arrived, [`bearer ${value}`, 'bearer ***']);
});

test('a body that takes too much to be searched for secrets is neither read nor shown: its size and type are', async () => {
  const body = `["${'\\u0041'.repeat(700_000)}"]`;
  const { response, failure } = await exchangeWith((_, answered) => {
    answered.setHeader('content-type', 'application/json').end(body);
  }, body.length);
  assert.equal(response, undefined);
  assert.deepEqual([failure?.side, failure?.code], ['ours', 'NOT_SEARCHED']);
  assert.match(
    failure?.reason ?? '',
    /^the body \(4200004 bytes, application\/json\) takes too long to search for secrets/,
  );
});

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

const numbered = (texts: readonly string[]) =>
  Object.fromEntries(texts.map((text, index) => [`x-echo-${index}`, text]));

/** Places in a response, outside its body, where a service may repeat a credential. `fits` matches the credentials that can be written there. */
const heads: [place: string, fits: RegExp, say: Say][] = [
  [
    'informational response',
    printable,
    (response, texts) => response.writeEarlyHints({ link: '</a>; rel=b', ...numbered(texts) }),
  ],
  ['status line', printable, (response, texts) => (response.statusMessage = texts.join(' '))],
  ['header', printable, (response, texts) => response.setHeaders(new Map(Object.entries(numbered(texts))))],
  [
    'header name',
    /^[\w!#$%&'*+.^`|~-]+$/,
    (response, texts) => response.setHeaders(new Map(texts.map((text) => [`x-${text}`, 'named']))),
  ],
  [
    'Location',
    printable,
    (response, texts) => response.setHeader('location', `https://elsewhere.test/?token=${texts.join('&token=')}`),
  ],
  [
    'cookie',
    printable,
    (response, texts) =>
      response.setHeader(
        'set-cookie',
        texts.map((text) => `session=${text}; Path=/`),
      ),
  ],
  ['trailer', printable, (response, texts) => response.setHeader('trailer', 'x-echo-0').addTrailers(numbered(texts))],
  // The message about a body that can't be decoded quotes this header.
  [
    'Content-Encoding',
    printable,
    (response, texts) => response.setHeader('content-encoding', ['gzip', ...texts].join(', ')),
  ],
];

for (const [place, fits, say] of heads)
  test(`a credential that comes back is masked and noted: ${place}`, async () => {
    const fitting = secretForms.filter(({ encode }) => fits.test(encode(value)));
    assert.ok(fitting.length >= 6, `${fitting.length} forms`);
    await assertAllMasked(fitting, place, (response, texts) => {
      say(response, texts);
      response.setHeader('content-type', 'application/json');
      // HTTP allows trailers only after a chunked body, which Node sends if `write` comes before `end`.
      if (place === 'trailer') response.write('{');
      response.end(place === 'trailer' ? '}' : '{}');
    });
  });

const asJson = (texts: readonly string[]) =>
  Buffer.from(JSON.stringify({ error: texts, ...Object.fromEntries(texts.map((text) => [text, 'as a key'])) }));
const asHtml = (texts: readonly string[]) =>
  Buffer.from(`<h1>Error</h1>${texts.map((text) => `<p title="${text}">${text}</p>`).join('')}`, 'latin1');
/** A JSON body with escapes that the server chose: each text that is valid inside a JSON string is inserted unchanged. */
const asRawJson = (texts: readonly string[]) => {
  const strings = texts.map((text) => (isJsonString(text) ? `"${text}"` : JSON.stringify(text)));
  return Buffer.from(`{"error": [${strings.join(', ')}], "nothing": 1.50}`, 'latin1');
};
const inUtf16 = (bytes: Buffer) => Buffer.from(bytes.toString(), 'utf16le');

const bodies: [
  place: string,
  bytesOf: (texts: readonly string[]) => Buffer,
  headers?: Readonly<Record<string, string>>,
][] = [
  ['JSON body', asJson],
  ['JSON body as it is written', asRawJson],
  ['HTML body', asHtml, { 'content-type': 'text/html' }],
  [
    'UTF-16 body',
    (texts) => Buffer.concat([Buffer.from([0xff, 0xfe]), inUtf16(asJson(texts))]),
    { 'content-type': 'application/json; charset=utf-16' },
  ],
  ['UTF-16 body without a mark', (texts) => inUtf16(asJson(texts)).swap16()],
  ['gzip body', (texts) => gzipSync(asJson(texts)), { 'content-encoding': 'gzip' }],
  [
    'brotli body',
    (texts) => brotliCompressSync(asHtml(texts)),
    { 'content-type': 'text/html', 'content-encoding': 'br' },
  ],
  ['body in pieces', asJson],
];

for (const [place, bytesOf, headers = {}] of bodies)
  test(`a credential that comes back is masked and noted: ${place}`, () =>
    assertAllMasked(secretForms, place, async (response, texts) => {
      response.setHeaders(new Map(Object.entries({ 'content-type': 'application/json', ...headers })));
      const bytes = bytesOf(texts);
      const size = place === 'body in pieces' ? 5 : bytes.length;
      for (let at = 0; at < bytes.length; at += size) {
        response.write(bytes.subarray(at, at + size));
        if (size === 5) await new Promise(setImmediate);
      }
      response.end();
    }));

function isJsonString(text: string): boolean {
  try {
    return typeof JSON.parse(`"${text}"`) === 'string';
  } catch {
    return false;
  }
}

test('an answer that repeats nothing is handed on to the byte, and nothing is noted', async () => {
  const text = '{ "a": 1.50, "b": "\\u002B%2B" }';
  const { response, ...exchange } = await exchangeWith((_, reply) => {
    reply.writeHead(200, 'Fine', { 'x-token': 'other', 'content-type': 'application/json' }).end(text);
  });
  assert.deepEqual([exchange.echoedSecret, response?.body.text, response?.statusText], [undefined, text, 'Fine']);
  assert.equal(response?.headers.slice(0, 2).join(), 'x-token,other,content-type,application/json');
});
