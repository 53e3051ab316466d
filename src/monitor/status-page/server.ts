import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { type Access, accessOf, COOKIE, isGuess, isSame, passOf } from './access.ts';
import { GuessDelay } from './guess-delay.ts';
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

/** Time limits, in ms: whoever is slower than this doesn't want the page. */
export interface PageLimits {
  readonly headersMs: number;
  /** Of a whole request, body included. */
  readonly requestMs: number;
  /** Of a connection on which nothing happens; open pages hear something every 15 s. */
  readonly idleMs: number;
}

const usual: PageLimits = { headersMs: 5_000, requestMs: 10_000, idleMs: 60_000 };

type Guesses = Pick<GuessDelay, 'hold' | 'end'>;

/** Each is an open file: the monitor needs some for its own calls. */
const MOST_CONNECTIONS = 500;

/** The page's HTTP server; it doesn't listen yet. */
export function pageServer(
  pages: Pages,
  live: Live,
  limits = usual,
  guesses: Guesses = new GuessDelay(),
): FastifyInstance {
  const app = Fastify({
    forceCloseConnections: true,
    exposeHeadRoutes: true,
    routerOptions: { maxParamLength: 300 },
    requestTimeout: limits.requestMs,
    connectionTimeout: limits.idleMs,
    bodyLimit: 2_000,
    http: {
      headersTimeout: limits.headersMs,
      // How often Node looks whether a limit is over.
      connectionsCheckingInterval: Math.min(1_000, limits.headersMs),
    },
  });
  app.server.maxConnections = MOST_CONNECTIONS;
  const asked = ({ headers: { host, authorization, cookie } }: FastifyRequest) => ({ host, authorization, cookie });
  const access = (request: FastifyRequest): Access => accessOf(asked(request), pages.settings);

  app.addHook('onClose', async () => guesses.end());
  app.addHook('onRequest', async (request, reply) => {
    reply.headers({
      'content-security-policy': POLICY,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'same-origin',
      'cross-origin-opener-policy': 'same-origin',
      'cache-control': 'no-store',
    });
    const isHeld = !isGuess(asked(request), pages.settings) || (await guesses.hold());
    return isHeld ? undefined : tooMany(reply);
  });
  app.setNotFoundHandler((_request, reply) =>
    sendPage(
      reply.code(404),
      'Not found',
      html`<h1>Not found</h1><p>There is no such page. <a href="/">How everything stands</a>.</p>`,
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
  addLogin(app, pages, guesses);

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
    if (live.isFull) return reply.code(503).header('retry-after', '60').send();
    reply.hijack();
    reply.raw.writeHead(200, {
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    });
    live.add(reply.raw);
    return undefined;
  });
  return app;
}

function addLogin(app: FastifyInstance, { settings: { token } }: Pages, guesses: Guesses): void {
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
    done(null, Object.fromEntries(new URLSearchParams(String(body)))),
  );
  app.post('/login', async (request, reply) => {
    const { token: given } = (request.body ?? {}) as { token?: string };
    if (!token || !isSame(given, token))
      return (await guesses.hold()) ? askForToken(reply, 'This is not the token.') : tooMany(reply);
    return reply
      .header('set-cookie', `${COOKIE}=${passOf(token)}; HttpOnly; SameSite=Strict; Path=/; Max-Age=2592000`)
      .redirect('/', 303);
  });
}

/** Closed, so that it makes room. */
function tooMany(reply: FastifyReply): FastifyReply {
  return reply.code(429).headers({ 'retry-after': '10', connection: 'close' }).send('Too many wrong tokens.\n');
}

function askForToken(reply: FastifyReply, problem = ''): FastifyReply {
  reply.code(401).header('www-authenticate', 'Bearer');
  return sendPage(
    reply,
    'Token needed',
    html`<h1>Token needed</h1>${problem && html`<p role="alert">${problem}</p>`}
<form method="post" action="/login"><label>Token <input type="password" name="token" autocomplete="current-password" required></label> <button>Open</button></form>`,
  );
}

function sendPage(reply: FastifyReply, title: string, body: Parameters<typeof layout>[0]['body']): FastifyReply {
  return reply.type('text/html; charset=utf-8').send(layout({ title, body, path: 'other', now: Date.now() }));
}
