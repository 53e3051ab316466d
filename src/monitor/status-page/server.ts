import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { html } from '../../run/index.ts';
import {
  json,
  type PageRequest,
  type PageResponse,
  PageServer,
  plain,
  type Reply,
  type Route,
  type ServerOptions,
  typed,
} from '../../server/index.ts';
import { Monitor, type MonitorOptions } from '../monitor.ts';
import { type Access, accessOf, COOKIE, isSame, passOf } from './access.ts';
import { type Frame, layout } from './components.ts';
import { atomFeed, FEED_TYPE } from './feed.ts';
import { averageOf, figuresReader, ranges } from './figures.ts';
import { eventOf, incidentPage } from './incident.ts';
import { maintain, ownPath } from './maintenance.ts';
import { filterOf, overviewPage } from './overview.ts';
import { runNow } from './run-now.ts';
import { scenarioPage } from './scenario.ts';
import { badge, statusDocument } from './status-json.ts';
import { environmentViews, findScenario } from './view.ts';

const POLICY = [
  "default-src 'none'",
  ...['style', 'script', 'img', 'connect'].map((what) => `${what}-src 'self'`),
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/**
 * Starts a monitor and its status page.
 * @throws ConfigurationError when the port is in use or the history can't be opened.
 */
export async function startMonitor(options: MonitorOptions) {
  const { settings, say } = options;
  const monitor = new Monitor(options);
  const server = pageServer(monitor, { say });
  const stop = async () => {
    await server.close();
    await monitor.stop();
  };
  const url = await server.listen({ host: settings.listen, port: settings.port }).catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  monitor.pageUrl = settings.pageUrl ?? url;
  monitor.start();
  return {
    /** Address that the page listens on, with a trailing slash. */
    url,
    monitor,
    stop,
  };
}

export function pageServer(monitor: Monitor, options: Pick<ServerOptions, 'limits' | 'say'>): PageServer {
  const site = siteOf(monitor.settings);
  const body = html`<h1>Not found</h1><p>This page does not exist. <a href="/">Go to the status page</a>.</p>`;
  return new PageServer({
    ...options,
    below: site.root.slice(0, -1),
    routes: [...assetRoutes(), ...readRoutes(site, monitor), ...writeRoutes(site, monitor)],
    headers: {
      'content-security-policy': POLICY,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'same-origin',
      'cross-origin-opener-policy': 'same-origin',
      // Another site must not be able to show a badge that only this machine, or somebody with the token, may see.
      'cross-origin-resource-policy': 'same-origin',
      'cache-control': 'no-store',
    },
    notFound: () => site.framed({ title: 'Not found', body, status: 404 }),
  });
}

type Site = ReturnType<typeof siteOf>;
type Asked = PageRequest & {
  /** True if the reader may see only states and uptime. */
  readonly isPublic: boolean;
};

/** The parts of a page that depend on the settings: the path below which the page is served, and who may see it. */
function siteOf(settings: Monitor['settings']) {
  const root = settings.pageUrl ? new URL(settings.pageUrl).pathname : '/';
  const framed = ({ status = 200, ...frame }: Omit<Frame, 'root'> & Pick<PageResponse, 'status'>): PageResponse => ({
    status,
    ...typed('text/html; charset=utf-8', layout({ ...frame, root })),
  });
  /** Redirects to a path of this site. */
  const seeOther = (path: string, headers: PageResponse['headers'] = {}): PageResponse => ({
    status: 303,
    headers: { ...headers, location: `${root}${path.slice(1)}` },
    body: '',
  });
  /** Asks for the token with a form, which leads back to the requested page. */
  const askForToken = (back: string, problem = ''): PageResponse => {
    const body = html`<h1>Token required</h1>${problem && html`<p role="alert">${problem}</p>`}
<form method="post" action="/login"><input type="hidden" name="back" value="${ownPath(back)}"><label>Token <input type="password" name="token" autocomplete="current-password" required></label> <button>Open</button></form>`;
    const { headers, ...form } = framed({ title: 'Token required', body, status: 401 });
    return { ...form, headers: { ...headers, 'www-authenticate': 'Bearer' } };
  };
  /** A route for readers with the access `least`, or more. */
  const route = (
    method: Route['method'],
    path: RegExp,
    least: Access,
    reply: (asked: Asked) => Reply | Promise<Reply>,
  ): Route => ({
    method,
    path,
    reply: (asked) => {
      if (method === 'POST' && settings.token === undefined)
        return plain(403, "Set TOKEN in the monitor's settings: nothing can be changed without it.\n");
      const seen = accessOf(asked.headers, settings);
      const mayNot = least === 'all' ? seen !== 'all' : least === 'public' && seen === 'none';
      return mayNot ? askForToken(asked.url) : reply({ ...asked, isPublic: seen !== 'all' });
    },
  });
  return { root, framed, seeOther, askForToken, route };
}

const assets: Readonly<Record<string, string>> = {
  'page.css': 'text/css; charset=utf-8',
  'page.js': 'text/javascript; charset=utf-8',
  'icon.svg': 'image/svg+xml',
};

/** Style, script and icon of the pages, read once. */
function assetRoutes(): Route[] {
  return Object.entries(assets).map(([name, type]) => {
    const reply = typed(type, readFileSync(join(import.meta.dirname, 'assets', name)));
    return { method: 'GET', path: new RegExp(`^/assets/${name.replace('.', '\\.')}$`), reply: () => reply };
  });
}

const incidentPath = /^\/incidents\/(?<id>\d{1,15})$/;

function readRoutes({ route, framed, seeOther }: Site, monitor: Monitor): Route[] {
  const { recorder, environments } = monitor;
  const read = figuresReader(recorder.db);
  return [
    route('GET', /^\/$/, 'public', async ({ isPublic, query }) =>
      framed(await overviewPage(monitor, filterOf(query), read, isPublic)),
    ),
    route('GET', /^\/feed\.atom$/, 'public', ({ isPublic }) =>
      typed(FEED_TYPE, atomFeed(monitor, isPublic, Date.now())),
    ),
    route('GET', incidentPath, 'public', ({ isPublic, params }) => {
      const known = recorder.incidents.get(Number(params.id));
      return known && framed(incidentPage(monitor, known, isPublic));
    }),
    route('GET', /^\/status\.json$/, 'public', ({ isPublic }) => {
      const now = Date.now();
      const text = JSON.stringify(statusDocument(environmentViews(recorder, environments, now), monitor, now));
      // Scripts of other sites may read public data, but no data that only this machine, or somebody with the token, may see.
      return openIf(isPublic, { 'access-control-allow-origin': '*' }, 'application/json; charset=utf-8', text);
    }),
    route('GET', /^\/scenario\/(?<environment>[^/]+)\/(?<name>.+)$/, 'public', async ({ isPublic, params, query }) => {
      const now = Date.now();
      const view = findScenario(recorder, params, now);
      if (!view) return undefined;
      const range = ranges.find((one) => one.name === query.get('range')) ?? ranges[0];
      const figures = await read(view.known);
      const body = scenarioPage(monitor, { view, figures, range, isPublic }, now);
      return framed({ title: `${view.known.title} · ${view.known.environment}`, body });
    }),
    // The path is `staging.svg` for an environment, or `staging/block-then-list.svg` for a scenario, by slug or title.
    route('GET', /^\/badge\/(?<environment>[\w-]+)(\/(?<name>.+))?\.svg$/, 'public', async ({ isPublic, params }) => {
      const now = Date.now();
      const one = findScenario(recorder, params, now);
      const all = environmentViews(recorder, environments, now).find(({ name }) => name === params.environment);
      const views = params.name === undefined ? all?.scenarios : one && [one];
      if (!views) return undefined;
      const months = [];
      for (const { known } of views) months.push((await read(known)).month);
      const text = badge(one?.known.title ?? params.environment ?? '', views, averageOf(months));
      return openIf(isPublic, { 'cross-origin-resource-policy': 'cross-origin' }, 'image/svg+xml', text);
    }),
    route('GET', /^\/metrics$/, 'all', ({ headers }) => monitor.metrics.page(headers.accept)),
    route('GET', /^\/healthz$/, 'none', ({ isPublic }) => {
      const { isWell, ...more } = monitor.health();
      return { ...json({ isWell, ...(isPublic ? {} : more) }), status: isWell ? 200 : 503 };
    }),
    // A reader of a public page who has the token opens this path to enter it. A browser also requests this path if somebody reloads the
    // page after a wrong token.
    route('GET', /^\/login$/, 'all', () => seeOther('/')),
  ];
}

/** A response with additional headers (`opening`) that let other sites use it. Adds them only if the page is public. */
function openIf(isPublic: boolean, opening: PageResponse['headers'], type: string, text: string): PageResponse {
  const { headers, body } = typed(type, text);
  return { headers: { ...headers, ...(isPublic ? opening : {}) }, body };
}

function writeRoutes({ route, seeOther, askForToken }: Site, monitor: Monitor): Route[] {
  const { settings, recorder } = monitor;
  return [
    route('POST', /^\/login$/, 'none', ({ form, headers }) => {
      const back = ownPath(form.get('back') ?? '/');
      const { token = '' } = settings;
      if (!isSame(form.get('token') ?? undefined, token)) return askForToken(back, 'Wrong token.');
      // Over plain HTTP, a browser would not store a cookie that is `Secure`.
      const secure = headers.origin?.startsWith('https:') ? '; Secure' : '';
      // A cookie without a path is valid below the folder of the login page, so it also works if a proxy serves the pages below another
      // path.
      const cookie = `${COOKIE}=${passOf(token)}; HttpOnly; SameSite=Strict; Max-Age=2592000${secure}`;
      return seeOther(back, { 'set-cookie': cookie });
    }),
    // The command `sextant maintenance` and pipelines send this form, and get JSON.
    route('POST', /^\/maintenance\/(?<what>start|end)$/, 'all', ({ params, form }) => {
      const outcome = maintain(params.what === 'end' ? 'end' : 'start', form, monitor, Date.now());
      return 'problem' in outcome ? plain(400, `${outcome.problem}\n`) : json(outcome);
    }),
    // `sextant monitor run` and the pages of scenarios send this form. A scenario's page adds `back`, the path of the page to show
    // afterwards.
    route('POST', /^\/run$/, 'all', async ({ form }) => {
      const outcome = await runNow(form, monitor);
      if ('problem' in outcome) return plain(400, `${outcome.problem}\n`);
      const back = form.get('back');
      return back === null ? json(outcome) : seeOther(ownPath(back));
    }),
    route('POST', incidentPath, 'all', ({ params, form }) => {
      const id = Number(params.id);
      const known = recorder.incidents.get(id);
      if (!known) return undefined;
      const event = eventOf(form, known.until === undefined, Date.now());
      if (typeof event === 'string') return plain(400, `${event}\n`);
      recorder.handle(id, event);
      return seeOther(`/incidents/${id}`);
    }),
  ];
}
