import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request } from 'node:http';
import { after, before, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { ConfigurationError } from '../environment/index.ts';
import { keepSecrets, Secret } from '../redaction/index.ts';
import { type PageResponse, PageServer } from './http-server.ts';

const text = (body: string): PageResponse => ({ headers: { 'content-type': 'text/plain' }, body });
const said: string[] = [];
const long = 'a line of a page\n'.repeat(1_000);
/** The error that the route `/broken` throws. */
let error: Error = new Error('a secret');
let acts = 0;
const server = new PageServer({
  below: '/sextant',
  say: (line) => said.push(line),
  headers: { 'x-everywhere': 'yes' },
  notFound: () => ({ ...text('nowhere'), status: 404 }),
  routes: [
    { method: 'GET', path: /^\/$/, reply: () => text('ä') },
    { method: 'GET', path: /^\/named\/(?<name>.+)$/, reply: ({ params }) => text(params.name ?? '') },
    { method: 'GET', isActing: true, path: /^\/act$/, reply: () => text(String(++acts)) },
    { method: 'GET', path: /^\/sometimes$/, reply: () => undefined },
    {
      method: 'GET',
      path: /^\/parts$/,
      reply: () => ({ ...text(''), body: ['a part, ', 'canary-of-a-part-3c8', '!'] }),
    },
    { method: 'GET', path: /^\/broken$/, reply: () => Promise.reject(error) },
    { method: 'POST', path: /^\/form$/, reply: ({ form }) => text(form.get('field') ?? 'none') },
    {
      method: 'GET',
      path: /^\/long\.(?<type>\w+)$/,
      reply: ({ params }) => ({
        ...text(long),
        headers: { 'content-type': params.type === 'png' ? 'image/png' : 'text/plain' },
      }),
    },
  ],
});
let origin = '';
before(async () => {
  keepSecrets([new Secret('canary-of-a-part-3c8')]);
  origin = new URL(await server.listen({ host: '127.0.0.1', port: 0 })).origin;
});
after(() => server.close());

const rows: [request: string, status: number, body: string, form?: string][] = [
  ['GET /', 200, 'ä'],
  ['GET /?query=1', 200, 'ä'],
  ['HEAD /', 200, ''],
  ['POST /', 404, 'nowhere'],
  ['PUT /form', 404, 'nowhere'],
  ['POST /nowhere', 404, 'nowhere'],
  ['GET /named/a%20name%2Fof%20two', 200, 'a name/of two'],
  ['GET /named/%E0%A4%A', 404, 'nowhere'],
  ['GET /named/', 404, 'nowhere'],
  ['GET //named/x', 404, 'nowhere'],
  ['GET /sextant/named/x?query=1', 200, 'x'],
  ['GET /sextantnamed/x', 404, 'nowhere'],
  ['GET /other/named/x', 404, 'nowhere'],
  ['GET /sometimes', 404, 'nowhere'],
  ['GET /parts', 200, 'a part, ***!'],
  ['GET /broken', 500, 'This page could not be created. /healthz shows the health of the monitor.\n'],
  ['POST /form', 200, 'a b', 'field=a+b'],
  ['POST /form', 413, 'Too large.\n', `field=${'x'.repeat(1_000_000)}`],
  ['GET /form', 404, 'nowhere'],
  ['GET /act', 200, '1'],
  ['HEAD /act', 404, ''],
  ['GET /act', 200, '2'],
];

for (const [asked, status, body, form] of rows)
  test(`${asked}${form ? ` with ${form.length} bytes` : ''}: ${status}`, async () => {
    const [method = '', path = ''] = asked.split(' ');
    const response = await fetch(origin + path, { method, ...(form ? { body: form } : {}) });
    assert.equal(response.status, status);
    assert.equal(await response.text(), body);
    assert.equal(response.headers.get('x-everywhere'), 'yes');
  });

for (const [headers, status] of [
  [{}, 200],
  [{ origin: 'own' }, 200],
  [{ origin: 'https://evil.test' }, 403],
  [{ origin: 'null' }, 403],
  [{ 'sec-fetch-site': 'same-site', origin: 'own' }, 403],
  [{ 'sec-fetch-site': 'cross-site' }, 403],
  // Behind a proxy, `Host` may differ from the host of the page.
  [{ 'sec-fetch-site': 'same-origin', origin: 'https://status.your.org' }, 200],
] as [Record<string, string>, number][])
  test(`a form posted with ${JSON.stringify(headers)}: ${status}`, async () => {
    const own = headers.origin === 'own' ? { origin } : {};
    const response = await fetch(`${origin}/form`, { method: 'POST', headers: { ...headers, ...own } });
    assert.equal(response.status, status);
  });

test('who runs the server is told once why a page could not be created, without a secret', async () => {
  keepSecrets([new Secret('canary-of-a-page-7d1')]);
  said.length = 0;
  for (const name of ['canary-of-a-page-7d1', 'canary-of-a-page-7d1', 'other']) {
    error = new ConfigurationError(`the file of ${name} is damaged`);
    await fetch(`${origin}/broken`);
  }
  const problem = 'A page could not be created: the file of';
  assert.deepEqual(said, [`${problem} *** is damaged`, `${problem} other is damaged`]);
});

const codings: [path: string, accepted: string, coding: string | null][] = [
  ['/long.txt', '', null],
  ['/long.txt', 'identity', null],
  ['/long.txt', 'gzip, deflate, br, zstd', 'gzip'],
  ['/long.txt', 'br;q=0, gzip;q=0.1', 'gzip'],
  ['/long.txt', 'br, gzip ; q=0.0', null],
  ['/long.png', 'gzip', null],
  ['/', 'gzip', null],
];

for (const [path, accepted, coding] of codings)
  test(`${path} for a client that accepts ${JSON.stringify(accepted)}: ${coding ?? 'as it is'}`, async () => {
    const { port } = new URL(origin);
    const [response] = await once(request({ port, path, headers: { 'accept-encoding': accepted } }).end(), 'response');
    const body = Buffer.concat(await Array.fromAsync(response));
    assert.equal(response.headers['content-encoding'] ?? null, coding);
    assert.equal(response.headers.vary, path === '/long.txt' ? 'accept-encoding' : undefined);
    assert.equal((coding ? gunzipSync(body) : body).toString(), path === '/' ? 'ä' : long);
  });

test('a character that comes in two parts stays whole', async () => {
  const body = ReadableStream.from([Buffer.from('field='), Buffer.from([0xc3]), Buffer.from([0xa4])]);
  const response = await fetch(`${origin}/form`, { method: 'POST', body, duplex: 'half' });
  assert.equal(await response.text(), 'ä');
});

test('it says that it can not listen where somebody does', async () => {
  const second = new PageServer({ headers: {}, notFound: () => text(''), routes: [], say: () => {} });
  const port = Number(new URL(origin).port);
  await assert.rejects(
    second.listen({ host: '127.0.0.1', port }),
    /^ConfigurationError: Port \d+ on .* is already in use/,
  );
  await second.close();
});
