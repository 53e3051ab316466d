import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
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
} from '../../serving/index.ts';
import { environmentsOf, environmentsText } from '../alerting/wording.ts';
import { incidentStory } from '../history/incidents.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { Monitor } from '../monitor.ts';
import type { GuessCause } from '../status/flip.ts';
import type { Uptime } from '../status/uptime.ts';
import { accessOf, COOKIE, isGuess, isSame, passOf } from './access.ts';
import { badge, type Frame, layout, uptimeText } from './components.ts';
import { atomFeed, FEED_TYPE } from './feed.ts';
import { figuresReader, ranges } from './figures.ts';
import { html } from './html.ts';
import { eventOf, incidentPage, likelyCause } from './incident.ts';
import { maintain, ownPath } from './maintenance.ts';
import { filterOf, overviewPage } from './overview.ts';
import { scenarioPage } from './scenario.ts';
import { statusJson } from './status-json.ts';
import { environmentViews, findScenario, states, worstOf } from './view.ts';

const POLICY = [
  "default-src 'none'",
  ...['style', 'script', 'img', 'connect'].map((what) => `${what}-src 'self'`),
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

const HTML = 'text/html; charset=utf-8';

interface PagesOptions extends Pick<ServerOptions, 'limits' | 'say'> {
  readonly monitor: Monitor;
  readonly metrics: Pick<Metrics, 'page'>;
  readonly guessCause?: GuessCause | undefined;
}

export function pageServer(options: PagesOptions): PageServer {
  const { settings } = options.monitor;
  return new PageServer({
    ...options,
    ...(settings.pageUrl ? { below: new URL(settings.pageUrl).pathname.replace(/\/$/, '') } : {}),
    routes: [...assetRoutes(), ...readRoutes(options), ...writeRoutes(options)],
    headers: {
      'content-security-policy': POLICY,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'same-origin',
      'cross-origin-opener-policy': 'same-origin',
      // A page of another site can't show a badge that is for this machine or a token holder alone.
      'cross-origin-resource-policy': 'same-origin',
      'cache-control': 'no-store',
    },
    notFound: (url) =>
      framed({
        title: 'Not found',
        body: html`<h1>Not found</h1><p>This page does not exist. <a href="/">Go to the status page</a>.</p>`,
        depth: depthOf(url),
        status: 404,
      }),
  });
}

const assets: Readonly<Record<string, string>> = {
  'page.css': 'text/css; charset=utf-8',
  'page.js': 'text/javascript; charset=utf-8',
  'icon.svg': 'image/svg+xml',
};

/** What the pages are made with, read once. */
function assetRoutes(): Route[] {
  return Object.entries(assets).map(([name, type]) => {
    const reply = typed(type, readFileSync(join(import.meta.dirname, 'assets', name)));
    return { method: 'GET', path: new RegExp(`^/assets/${name.replace('.', '\\.')}$`), reply: () => reply };
  });
}

const incidentPath = /^\/incidents\/(?<id>\d{1,15})$/;

/** A deploy longer ago explains no incident. */
const ANNOUNCED_MS = 3_600_000;

function readRoutes({ monitor, metrics, guessCause = () => undefined }: PagesOptions): Route[] {
  const { settings, recorder, environments } = monitor;
  const { db } = recorder;
  const read = figuresReader(db);
  const take = recentPages();
  /** A page for those who may see it: `reply` is told whether they see states and uptime alone, as everybody does. */
  const guarded = (
    path: RegExp,
    reply: (isPublic: boolean, asked: PageRequest) => Reply | Promise<Reply>,
    least: 'all' | 'public' = 'public',
  ): Route => ({
    method: 'GET',
    path,
    reply: async (asked) => {
      const seen = await accessTo(asked, settings);
      const mayNot = seen === 'none' || (least === 'all' && seen !== 'all');
      if (mayNot) return askForToken(asked);
      return reply(seen === 'public', asked);
    },
  });
  /** The same page for many readers. */
  const shared: typeof guarded = (path, reply) =>
    guarded(path, (isPublic, asked) => take(`${isPublic} ${asked.url}`, () => reply(isPublic, asked)));
  return [
    shared(/^\/$/, async (isPublic, { query }) => {
      const { problems } = monitor.health();
      return framed(await overviewPage({ recorder, environments, filter: filterOf(query), read, isPublic, problems }));
    }),
    guarded(/^\/feed\.atom$/, (isPublic) =>
      typed(
        FEED_TYPE,
        atomFeed({
          incidents: recorder.incidents.all,
          instance: db.instance,
          pageUrl: monitor.pageUrl,
          isPublic,
          now: Date.now(),
        }),
      ),
    ),
    // The list of incidents is on the first page.
    { method: 'GET', path: /^\/incidents$/, reply: ({ url }) => seeOther(url, '/#incidents') },
    guarded(incidentPath, (isPublic, { params }) => incident(monitor, Number(params.id), isPublic, guessCause)),
    shared(/^\/status\.json$/, (isPublic) => {
      const now = Date.now();
      const { headers, body } = typed(
        'application/json; charset=utf-8',
        statusJson(environmentViews(recorder, environments, now), monitor, now),
      );
      // Scripts of other sites may read public data, but nothing that is for this machine or a token holder.
      return { headers: { ...headers, ...(isPublic ? { 'access-control-allow-origin': '*' } : {}) }, body };
    }),
    shared(/^\/scenario\/(?<environment>[^/]+)\/(?<name>[^/]+)$/, async (isPublic, { params, query }) => {
      const { environment = '', name = '' } = params;
      const view = findScenario(recorder, environment, name);
      if (!view) return undefined;
      const now = Date.now();
      const range = ranges.find((one) => one.name === query.get('range')) ?? ranges[0];
      const announced = recorder.calendar.of([environment], now - range.ms);
      const figures = await read(view.known);
      const body = await scenarioPage(db, { view, figures, range, slo: settings.slo, now, isPublic, announced });
      return framed({ title: `${view.known.title} · ${environment}`, body, depth: 3 });
    }),
    // `staging.svg`, `staging/block-then-list.svg`, or with a title.
    shared(/^\/badge\/(?<environment>[\w-]+)(\/(?<name>.+))?\.svg$/, async (isPublic, { params }) => {
      const { environment = '', name } = params;
      const one = name === undefined ? undefined : findScenario(recorder, environment, name);
      const all = environmentViews(recorder, environments, Date.now()).find((each) => each.name === environment);
      const views = name === undefined ? all?.scenarios : one && [one];
      if (!views) return undefined;
      const months: Uptime[] = [];
      for (const { known } of views) months.push((await read(known)).month);
      const sum = (of: 'observedMs' | 'downMs' | 'withoutData') =>
        months.reduce((total, month) => total + month[of], 0);
      const [observedMs, downMs] = [sum('observedMs') / months.length, sum('downMs') / months.length];
      const withoutData = sum('withoutData') / months.length;
      const shown = worstOf(views);
      const word = states[shown].word.toLowerCase();
      const uptime = uptimeText({ ratio: 1 - downMs / observedMs, downMs, observedMs, withoutData });
      const value = observedMs > 0 ? `${word}, ${uptime}${withoutData > 0.5 ? '' : ' in 30 d'}` : word;
      const { headers, body } = typed('image/svg+xml', badge(one?.known.title ?? environment, value, shown));
      return { headers: { ...headers, ...(isPublic ? { 'cross-origin-resource-policy': 'cross-origin' } : {}) }, body };
    }),
    guarded(/^\/metrics$/, () => metrics.page(), 'all'),
    {
      method: 'GET',
      path: /^\/healthz$/,
      reply: async (asked) => {
        const { isWell, problems, ...health } = monitor.health();
        const more = (await accessTo(asked, settings)) === 'all' ? { problems, ...health } : {};
        return { ...json({ isWell, ...more }), status: isWell ? 200 : 503 };
      },
    },
  ];
}

function incident(
  { recorder, settings }: Monitor,
  id: number,
  isPublic: boolean,
  guessCause: GuessCause,
  problem?: string,
): Reply {
  const { incidents, scenarios, calendar } = recorder;
  const now = Date.now();
  const found = incidents.get(id);
  if (!found) return undefined;
  const environments = environmentsOf(found.hits);
  const announced = calendar
    .of(environments, found.since - ANNOUNCED_MS)
    .filter(({ start }) => start <= (found.until ?? now));
  const story = incidentStory(recorder.db, found, ({ scenario }) => scenarios.find(scenario)?.id, announced);
  const body = incidentPage({
    story,
    likelyCause: isPublic ? undefined : likelyCause(story, scenarios.monitored, guessCause),
    isPublic,
    lastedMs: found.lastedMs(recorder.steady(now)),
    isWritable: settings.token !== undefined,
    problem,
  });
  return framed({ title: `Incident · ${environmentsText(environments)}`, body, depth: 2, status: problem ? 400 : 200 });
}

function writeRoutes({ monitor, guessCause = () => undefined }: PagesOptions): Route[] {
  const { settings, recorder } = monitor;
  /** A form that only who has the token may send. */
  const guarded = (path: RegExp, reply: (asked: PageRequest) => Reply): Route => ({
    method: 'POST',
    path,
    reply: async (asked) => {
      if (settings.token === undefined)
        return plain(403, "Set TOKEN in the monitor's settings: nothing can be changed without it.\n");
      return (await accessTo(asked, settings)) === 'all' ? reply(asked) : askForToken(asked);
    },
  });
  return [
    // Whoever reloads the response to a wrong token.
    { method: 'GET', path: /^\/login$/, reply: ({ url }) => seeOther(url, '/') },
    {
      method: 'POST',
      path: /^\/login$/,
      reply: async ({ form, headers, url }) => {
        const back = ownPath(form.get('back') ?? '/');
        const { token } = settings;
        if (!token || !isSame(form.get('token') ?? undefined, token)) {
          await wait(WRONG_MS);
          return askForToken({ url }, 'Wrong token.', back);
        }
        // Without a path it is for that of the login page, below whatever path a proxy serves the page.
        const cookie = `${COOKIE}=${passOf(token)}; HttpOnly; SameSite=Strict; Max-Age=2592000${isOverTls(headers) ? '; Secure' : ''}`;
        return seeOther(url, back, { 'set-cookie': cookie });
      },
    },
    // A form in, JSON out, or back to the page of the button.
    guarded(/^\/maintenance\/(?<what>start|end)$/, ({ params, form, url }) => {
      const outcome = maintain(params.what === 'end' ? 'end' : 'start', form, monitor, Date.now());
      if ('problem' in outcome) return plain(400, `${outcome.problem}\n`);
      const back = form.get('back');
      return back === null ? json(outcome) : seeOther(url, ownPath(back));
    }),
    guarded(incidentPath, ({ params, form, url }) => {
      const id = Number(params.id);
      const known = recorder.incidents.get(id);
      if (!known) return undefined;
      const event = eventOf(form, known.until === undefined, Date.now());
      if (typeof event === 'string') return incident(monitor, id, false, guessCause, event);
      recorder.handle(id, event);
      return seeOther(url, `/incidents/${id}`);
    }),
  ];
}

/** The response to a wrong token takes this long, so that nobody can try many. The right one never waits. */
const WRONG_MS = 1_000;

async function accessTo({ headers }: PageRequest, settings: Monitor['settings']) {
  if (isGuess(headers, settings)) await wait(WRONG_MS);
  return accessOf(headers, settings);
}

/** Whether the browser sees the page under https, through a proxy: on http, it would not keep a cookie that is `Secure`. */
function isOverTls({ origin }: PageRequest['headers']): boolean {
  return origin?.startsWith('https:') ?? false;
}

/** The form leads back to the page that was asked for. */
function askForToken({ url }: Pick<PageRequest, 'url'>, problem = '', back = ownPath(url)): PageResponse {
  const body = html`<h1>Token required</h1>${problem && html`<p role="alert">${problem}</p>`}
<form method="post" action="/login"><input type="hidden" name="back" value="${back}"><label>Token <input type="password" name="token" autocomplete="current-password" required></label> <button>Open</button></form>`;
  const { headers, ...form } = framed({ title: 'Token required', body, depth: depthOf(url), status: 401 });
  return { ...form, headers: { ...headers, 'www-authenticate': 'Bearer' } };
}

/** Leads to a path of this page, relative to the one that was asked for: what is before both, only a proxy knows. */
function seeOther(asked: string, path: string, headers: PageResponse['headers'] = {}): PageResponse {
  const location = `${'../'.repeat(depthOf(asked) - 1) || './'}${path.slice(1)}`;
  return { status: 303, headers: { ...headers, location }, body: '' };
}

/** How many parts a path has. */
function depthOf(url: string): number {
  return Math.max(1, (url.split('?')[0] ?? '').split('/').length - 1);
}

function framed({ status = 200, ...frame }: Frame & { readonly status?: number }): PageResponse {
  return { status, ...typed(HTML, layout(frame)) };
}

/** However many readers load a page, it is drawn once in this time. */
const RECENT_MS = 1_000;
/** Each filter is a page; 200 kB each at most. */
const MOST_RECENT = 16;

export function recentPages(now: () => number = () => performance.now()) {
  const recent = new Map<string, { readonly at: number; readonly page: Promise<Reply> }>();
  return (name: string, draw: () => Reply | Promise<Reply>): Promise<Reply> => {
    const at = now();
    for (const [other, kept] of recent) if (at - kept.at >= RECENT_MS) recent.delete(other);
    const known = recent.get(name);
    if (known) return known.page;
    const page = (async () => draw())();
    page.catch(() => recent.delete(name));
    const [oldest] = recent.keys();
    if (oldest !== undefined && recent.size >= MOST_RECENT) recent.delete(oldest);
    recent.set(name, { at, page });
    return page;
  };
}
