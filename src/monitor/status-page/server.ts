import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { redact } from '../../client/index.ts';
import { type Access, accessOf, COOKIE, isSame, passOf } from './access.ts';
import { html } from './html.ts';
import { layout } from './layout.ts';
import type { Live } from './live.ts';
import type { Pages } from './pages.ts';

const POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

const assets: Readonly<Record<string, string>> = {
  'page.css': 'text/css; charset=utf-8',
  'live.js': 'text/javascript; charset=utf-8',
  'icon.svg': 'image/svg+xml',
};

/** The page's HTTP server; it doesn't listen yet. */
export function pageServer(pages: Pages, live: Live): FastifyInstance {
  const app = Fastify({ forceCloseConnections: true, exposeHeadRoutes: true, routerOptions: { maxParamLength: 300 } });
  const access = (request: FastifyRequest): Access =>
    accessOf(
      { host: request.headers.host, authorization: request.headers.authorization, cookie: request.headers.cookie },
      pages.settings,
    );

  app.addHook('onRequest', async (_request, reply) => {
    reply.headers({
      'content-security-policy': POLICY,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'same-origin',
      'cross-origin-opener-policy': 'same-origin',
      'cache-control': 'no-store',
    });
  });
  app.addHook('onSend', async (_request, _reply, body) => (typeof body === 'string' ? redact(body) : body));
  app.setNotFoundHandler((_request, reply) =>
    sendPage(
      reply.code(404),
      'Not found',
      html`<h1>Not found</h1><p>This page does not exist. <a href="/">Go to the status page</a>.</p>`,
    ),
  );
  for (const [name, type] of Object.entries(assets)) {
    const content = readFileSync(join(import.meta.dirname, 'assets', name));
    app.get(`/assets/${name}`, (_request, reply) => reply.type(type).send(content));
  }
  app.get('/healthz', (_request, reply) => {
    const { isWell, problems, ...health } = pages.health();
    return reply
      .code(isWell ? 200 : 503)
      .send({ isWell, ...(access(_request) === 'all' ? { problems, ...health } : {}) });
  });
  addLogin(app, pages);

  const guarded = (
    path: string,
    send: (seen: Exclude<Access, 'none'>, request: FastifyRequest, reply: FastifyReply) => unknown,
    least: 'public' | 'all' = 'public',
  ) =>
    // Who asks for the head of the events alone would wait for ever.
    app.get(path, { exposeHeadRoute: path !== '/events' }, (request, reply) => {
      const seen = access(request);
      if (seen === 'none' || (least === 'all' && seen !== 'all')) return askForToken(reply);
      return send(seen, request, reply);
    });
  guarded('/', (seen, _request, reply) => reply.type('text/html; charset=utf-8').send(pages.overview(seen)));
  guarded('/incidents', (seen, _request, reply) => reply.type('text/html; charset=utf-8').send(pages.incidents(seen)));
  guarded('/incidents.atom', (_seen, _request, reply) =>
    reply.type('application/atom+xml; charset=utf-8').send(pages.atom()),
  );
  // Other sites' scripts may read it where everybody may; not what only this machine or a token may see.
  guarded('/status.json', (seen, _request, reply) =>
    (seen === 'public' ? reply.header('access-control-allow-origin', '*') : reply).send(pages.status()),
  );
  guarded('/scenario/:environment/:name', (seen, { params }, reply) => {
    const { environment, name } = params as { environment: string; name: string };
    const page = pages.scenario(environment, name, seen);
    return page === undefined ? reply.callNotFound() : reply.type('text/html; charset=utf-8').send(page);
  });
  guarded('/badge/*', (_seen, { params }, reply) => {
    const badge = pages.badge((params as { '*': string })['*']);
    return badge === undefined ? reply.callNotFound() : reply.type(badge.type).send(badge.text);
  });
  guarded(
    '/metrics',
    async (_seen, _request, reply) => reply.type(pages.metricsType).send(await pages.metrics()),
    'all',
  );
  guarded('/events', (_seen, _request, reply) => {
    reply.hijack();
    reply.raw.writeHead(200, {
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    });
    live.add(reply.raw);
  });
  return app;
}

function addLogin(app: FastifyInstance, { settings: { token } }: Pages): void {
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: 2_000 },
    (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(String(body)))),
  );
  app.post('/login', (request, reply) => {
    const { token: given } = (request.body ?? {}) as { token?: string };
    if (!token || !isSame(given, token)) return askForToken(reply, 'Wrong token.');
    return reply
      .header('set-cookie', `${COOKIE}=${passOf(token)}; HttpOnly; SameSite=Strict; Path=/; Max-Age=2592000`)
      .redirect('/', 303);
  });
}

function askForToken(reply: FastifyReply, problem = ''): FastifyReply {
  reply.code(401).header('www-authenticate', 'Bearer');
  return sendPage(
    reply,
    'Token required',
    html`<h1>Token required</h1>${problem && html`<p role="alert">${problem}</p>`}
<form method="post" action="/login"><label>Token <input type="password" name="token" autocomplete="current-password" required></label> <button>Open</button></form>`,
  );
}

function sendPage(reply: FastifyReply, title: string, body: Parameters<typeof layout>[0]['body']): FastifyReply {
  return reply.type('text/html; charset=utf-8').send(layout({ title, body, path: 'other', now: Date.now() }));
}
