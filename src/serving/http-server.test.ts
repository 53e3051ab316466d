import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, before, test } from 'node:test';
import { keepSecrets, Secret } from '../client/index.ts';
import { ConfigurationError } from '../config/index.ts';
import { type PageResponse, PageServer, pageErrors } from './http-server.ts';

const text = (body: string): PageResponse => ({ headers: { 'content-type': 'text/plain' }, body });
const errors: unknown[] = [];
let acts = 0;
const server = new PageServer({
  onError: (error) => errors.push(error),
  headers: { 'x-everywhere': 'yes' },
  notFound: () => ({ ...text('nowhere'), status: 404 }),
  routes: [
    { method: 'GET', path: /^\/$/, reply: () => text('ä') },
    { method: 'GET', path: /^\/named\/(?<name>[^/]+)$/, reply: ({ params }) => text(params.name ?? '') },
    { method: 'GET', isActing: true, path: /^\/act$/, reply: () => text(String(++acts)) },
    { method: 'GET', path: /^\/sometimes$/, reply: () => undefined },
    { method: 'GET', path: /^\/broken$/, reply: () => Promise.reject(new Error('a secret')) },
    { method: 'POST', path: /^\/form$/, reply: ({ form }) => text(form.get('field') ?? 'none') },
    { method: 'GET', path: /^\/stream$/, reply: () => ({ ...text(''), stream: (to) => void to.end('streamed') }) },
  ],
});
let origin = '';
before(async () => {
  origin = new URL(await server.listen({ host: '127.0.0.1', port: 0 })).origin;
});
after(() => server.close());

const rows: [request: string, status: number, body: string, form?: string][] = [
  ['GET /', 200, 'ä'],
  ['GET /?query=1', 200, 'ä'],
  ['HEAD /', 200, ''],
  ['POST /', 405, 'Not a method of this address. It takes GET, HEAD.\n'],
  ['PUT /form', 405, 'Not a method of this address. It takes POST.\n'],
  ['POST /nowhere', 404, 'nowhere'],
  ['GET /named/a%20name%2Fof%20two', 200, 'a name/of two'],
  ['GET /named/%E0%A4%A', 404, 'nowhere'],
  ['GET /named/', 404, 'nowhere'],
  ['GET //named/x', 404, 'nowhere'],
  ['GET /sometimes', 404, 'nowhere'],
  ['GET /broken', 500, 'This page could not be created. /healthz shows the health of the monitor.\n'],
  ['POST /form', 200, 'a b', 'field=a+b'],
  ['POST /form', 413, 'Too large.\n', `field=${'x'.repeat(1_000_000)}`],
  ['GET /form', 405, 'Not a method of this address. It takes POST.\n'],
  ['GET /act', 200, '1'],
  ['HEAD /act', 405, ''],
  ['GET /act', 200, '2'],
  ['GET /stream', 200, 'streamed'],
  ['HEAD /stream', 404, ''],
];

for (const [request, status, body, form] of rows)
  test(`${request}${form ? ` with ${form.length} bytes` : ''}: ${status}`, async () => {
    const [method = '', path = ''] = request.split(' ');
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
  // Behind a proxy that names another host.
  [{ 'sec-fetch-site': 'same-origin', origin: 'https://status.your.org' }, 200],
] as [Record<string, string>, number][])
  test(`a form posted with ${JSON.stringify(headers)}: ${status}`, async () => {
    const own = headers.origin === 'own' ? { origin } : {};
    const response = await fetch(`${origin}/form`, { method: 'POST', headers: { ...headers, ...own } });
    assert.equal(response.status, status);
  });

test('a method that an address does not take is told which it takes', async () => {
  for (const [path, allow] of [
    ['/', 'GET, HEAD'],
    ['/form', 'POST'],
    ['/act', 'GET'],
  ] as const)
    assert.equal((await fetch(origin + path, { method: 'DELETE' })).headers.get('allow'), allow);
});

test('who runs the server is told why a page could not be created', async () => {
  const before = errors.length;
  await fetch(`${origin}/broken`);
  assert.match(String(errors.slice(before)), /^Error: a secret$/);
});

test('the same error is said once, and no secret with it', () => {
  keepSecrets([new Secret('canary-of-a-page-7d1')]);
  const said: string[] = [];
  const tell = pageErrors((line) => said.push(line));
  for (const name of ['canary-of-a-page-7d1', 'canary-of-a-page-7d1', 'other'])
    tell(new ConfigurationError(`the file of ${name} is damaged`));
  const text = 'A page could not be created: the file of';
  assert.deepEqual(said, [`${text} *** is damaged`, `${text} other is damaged`]);
});

test('a character that comes in two parts stays whole', async () => {
  const body = ReadableStream.from([Buffer.from('field='), Buffer.from([0xc3]), Buffer.from([0xa4])]);
  const response = await fetch(`${origin}/form`, { method: 'POST', body, duplex: 'half' });
  assert.equal(await response.text(), 'ä');
});

test('a client that left while it was held gets no stream', async () => {
  const { promise: left, resolve: leave } = Promise.withResolvers<void>();
  let streams = 0;
  const holding = new PageServer({
    headers: {},
    notFound: () => text(''),
    routes: [{ method: 'GET', path: /^\/$/, reply: () => ({ ...text(''), stream: () => void streams++ }) }],
    hold: async ({ socket }) => {
      leave();
      await once(socket, 'close');
      return undefined;
    },
  });
  const { port } = new URL(await holding.listen({ host: '127.0.0.1', port: 0 }));
  const client = connect(Number(port), '127.0.0.1').resume();
  client.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
  await left;
  client.destroy();
  await holding.close(60_000);
  assert.equal(streams, 0);
});

test('it says that it can not listen where somebody does', async () => {
  const second = new PageServer({ headers: {}, notFound: () => text(''), routes: [] });
  const port = Number(new URL(origin).port);
  await assert.rejects(
    second.listen({ host: '127.0.0.1', port }),
    /^ConfigurationError: Port \d+ on .* is already in use/,
  );
  await second.close();
});
