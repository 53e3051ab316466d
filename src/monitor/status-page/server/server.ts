import {
  json,
  type PageRequest,
  type PageResponse,
  PageServer,
  pageErrors,
  plain,
  type Route,
  type TimeLimits,
  typed,
} from '../../../serving/index.ts';
import { FEED_TYPE } from '../feed.ts';
import { addressOf, filterOf } from '../filter.ts';
import { html, type Markup } from '../html.ts';
import { layout } from '../parts.ts';
import { accessOf, COOKIE, guessDelay, isGuess, isSame, passOf } from './access.ts';
import { type Live, recentPages } from './live.ts';
import { maintain, ownPath } from './maintenance.ts';
import { assetRoutes, type Pages } from './pages.ts';

const POLICY = [
  "default-src 'none'",
  ...['style', 'script', 'img', 'connect'].map((what) => `${what}-src 'self'`),
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

const HTML = 'text/html; charset=utf-8';
const JSON_TYPE = 'application/json; charset=utf-8';

type Hold = ReturnType<typeof guessDelay>;
type Reply = ReturnType<Route['reply']>;

export function pageServer(
  pages: Pages,
  live: Live,
  say: (line: string) => void,
  limits?: TimeLimits,
  hold: Hold = guessDelay(),
) {
  const { settings } = pages.monitor;
  return new PageServer({
    ...(limits ? { limits } : {}),
    ...(settings.pageUrl ? { below: new URL(settings.pageUrl).pathname.replace(/\/$/, '') } : {}),
    routes: [...assetRoutes(), ...readRoutes(pages, live), ...writeRoutes(pages, hold)],
    // The response to a wrong token is delayed on every path, but a login with the right one doesn't wait for an old cookie.
    hold: async ({ url, headers }) =>
      !url?.endsWith('/login') && isGuess(headers, settings) && !(await hold()) ? tooMany : undefined,
    onError: pageErrors(say),
    headers: {
      'content-security-policy': POLICY,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'same-origin',
      'cross-origin-opener-policy': 'same-origin',
      // A page of another site can't show a badge that is for this machine or a token holder alone.
      'cross-origin-resource-policy': 'same-origin',
      'cache-control': 'no-store',
    },
    notFound: (url) => page(404, 'Not found', NOT_FOUND, depthOf(url)),
  });
}

const NOT_FOUND = html`<h1>Not found</h1><p>This page does not exist. <a href="/">Go to the status page</a>.</p>`;

const incidentPath = /^\/incidents\/(?<id>\d{1,15})$/;

function readRoutes(pages: Pages, live: Live): Route[] {
  const { settings, recorder } = pages.monitor;
  /** A page for those who may see it: `reply` is told whether they see states and uptime alone, as everybody does. */
  const guarded = (
    path: RegExp,
    reply: (isPublic: boolean, asked: PageRequest) => Reply,
    least: 'all' | 'public' = 'public',
  ): Route => ({
    method: 'GET',
    path,
    reply: (asked) => {
      const seen = accessOf(asked.headers, settings);
      const mayNot = seen === 'none' || (least === 'all' && seen !== 'all');
      return mayNot ? askForToken(asked) : reply(seen === 'public', asked);
    },
  });
  const take = recentPages(() => recorder.edition);
  const shared = (path: string, isPublic: boolean, draw: Parameters<typeof take>[2], type = HTML) =>
    take(`${isPublic} ${path}`, type, draw);
  return [
    guarded(/^\/$/, (isPublic, asked) => {
      const filter = filterOf(asked.query);
      return shared(addressOf(filter), isPublic, () => pages.overview(isPublic, filter));
    }),
    guarded(/^\/feed\.atom$/, (isPublic) => shared('/feed.atom', isPublic, () => pages.feed(isPublic), FEED_TYPE)),
    // The list of incidents is on the first page.
    { method: 'GET', path: /^\/incidents$/, reply: ({ url }) => seeOther(url, '/#incidents') },
    guarded(incidentPath, (isPublic, { params }) => shown(pages.incident(Number(params.id), isPublic))),
    guarded(/^\/status\.json$/, async (isPublic) => {
      const page = await shared('/status.json', isPublic, () => pages.status(), JSON_TYPE);
      // Scripts of other sites may read public data, but nothing that is for this machine or a token holder.
      return page && isPublic ? { ...page, headers: { ...page.headers, 'access-control-allow-origin': '*' } } : page;
    }),
    guarded(/^\/scenario\/(?<environment>[^/]+)\/(?<name>[^/]+)$/, (isPublic, { params, query }) => {
      const { environment = '', name = '' } = params;
      const range = query.get('range') ?? '';
      const draw = () => pages.scenario(environment, name, isPublic, range);
      return shared(JSON.stringify([environment, name, range]), isPublic, draw);
    }),
    guarded(/^\/badge\/(?<path>.+)$/, (isPublic, { params }) => {
      const found = pages.badge(params.path ?? '');
      if (!found || !isPublic) return found;
      return { ...found, headers: { ...found.headers, 'cross-origin-resource-policy': 'cross-origin' } };
    }),
    guarded(/^\/metrics$/, () => pages.metrics.page(), 'all'),
    guarded(/^\/events$/, () => {
      if (live.isFull) return { status: 503, headers: { 'retry-after': '60' }, body: '' };
      const headers = { 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' };
      return { headers, body: '', stream: (response) => live.add(response) };
    }),
    {
      method: 'GET',
      path: /^\/healthz$/,
      reply: ({ headers }) => {
        const { isWell, problems, ...health } = pages.monitor.health();
        const more = accessOf(headers, settings) === 'all' ? { problems, ...health } : {};
        return { ...json({ isWell, ...more }), status: isWell ? 200 : 503 };
      },
    },
  ];
}

function writeRoutes(pages: Pages, hold: Hold): Route[] {
  const { settings } = pages.monitor;
  /** A form that only who has the token may send; `locked` is the answer where there is none. */
  const guarded = (path: RegExp, reply: (asked: PageRequest) => Reply, locked = askForToken): Route => ({
    method: 'POST',
    path,
    reply: (asked) => {
      if (settings.token === undefined) return locked(asked);
      return accessOf(asked.headers, settings) === 'all' ? reply(asked) : askForToken(asked);
    },
  });
  const locked = () => plain(403, "Set TOKEN in the monitor's settings: nothing can be changed without it.\n");
  /** A form in, JSON out, or back to the page of the button. */
  const maintenance = (what: 'start' | 'end') => {
    const reply = ({ form, url }: PageRequest) => {
      const outcome = maintain(what, form, pages.monitor, Date.now());
      if ('problem' in outcome) return plain(400, `${outcome.problem}\n`);
      const back = form.get('back');
      return back === null ? typed(JSON_TYPE, `${JSON.stringify(outcome)}\n`) : seeOther(url, ownPath(back));
    };
    return guarded(new RegExp(`^/maintenance/${what}$`), reply, locked);
  };
  return [
    // Whoever loads the answer to a wrong token anew.
    { method: 'GET', path: /^\/login$/, reply: ({ url }) => seeOther(url, '/') },
    {
      method: 'POST',
      path: /^\/login$/,
      reply: async ({ form, headers, url }) => {
        const back = ownPath(form.get('back') ?? '/');
        const { token } = settings;
        if (!token || !isSame(form.get('token') ?? undefined, token))
          return (await hold()) ? askForToken({ url }, 'Wrong token.', back) : tooMany;
        // Without a path it is for that of the login page, below whatever path a proxy serves the page.
        const cookie = `${COOKIE}=${passOf(token)}; HttpOnly; SameSite=Strict; Max-Age=2592000${isOverTls(headers) ? '; Secure' : ''}`;
        return seeOther(url, back, { 'set-cookie': cookie });
      },
    },
    maintenance('start'),
    maintenance('end'),
    guarded(incidentPath, ({ params, form, url }) => {
      const id = Number(params.id);
      const problem = pages.handle(id, form);
      return problem === undefined ? seeOther(url, `/incidents/${id}`) : shown(pages.incident(id, false, problem), 400);
    }),
  ];
}

/** Whether the browser sees the page under https, through a proxy: on http, it would not keep a cookie that is `Secure`. */
function isOverTls({ origin }: PageRequest['headers']): boolean {
  return origin?.startsWith('https:') ?? false;
}

/** Closed, so that it makes room. */
const tooMany: PageResponse = {
  status: 429,
  headers: { 'content-type': 'text/plain', 'retry-after': '10', connection: 'close' },
  body: 'Too many wrong tokens.\n',
};

/** The form leads back to the page that was asked for. */
function askForToken({ url }: Pick<PageRequest, 'url'>, problem = '', back = ownPath(url)): PageResponse {
  const body = html`<h1>Token required</h1>${problem && html`<p role="alert">${problem}</p>`}
<form method="post" action="/login"><input type="hidden" name="back" value="${back}"><label>Token <input type="password" name="token" autocomplete="current-password" required></label> <button>Open</button></form>`;
  const { headers, ...form } = page(401, 'Token required', body, depthOf(url));
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

function page(status: number, title: string, body: Markup, depth: number): PageResponse {
  return { status, ...typed(HTML, layout({ title, body, depth, now: Date.now() })) };
}

function shown(text: string | undefined, status = 200): PageResponse | undefined {
  return text === undefined ? undefined : { status, ...typed(HTML, text) };
}
