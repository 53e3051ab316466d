import { COOKIE, passOf } from '../../monitor/status-page/access.ts';

export const pageToken = 'the-token-of-the-page-0123456789';

/** Visitors of the monitor's pages: settings of the monitor, and headers of the visitor's request. */
export const readers = {
  'this machine, no `TOKEN`': { settings: {}, headers: {} },
  'another host name': { settings: {}, headers: { host: 'evil.test' } },
  '`TOKEN` set, not sent': { settings: { token: pageToken }, headers: {} },
  '`PUBLIC`, `TOKEN` not sent': { settings: { token: pageToken, isPublic: true }, headers: {} },
  '`TOKEN` sent': { settings: { token: pageToken }, headers: { authorization: `Bearer ${pageToken}` } },
  'its cookie': { settings: { token: pageToken }, headers: { cookie: `${COOKIE}=${passOf(pageToken)}` } },
  'its cookie, from a page of another site': {
    settings: { token: pageToken },
    headers: { cookie: `${COOKIE}=${passOf(pageToken)}`, origin: 'https://evil.test' },
  },
} as const;

/**
 * A letter for each of `readers`, in order, says what this reader sees of a page: `a` everything · `p` states and uptime · `s` the same as
 * any other reader · `-` nothing (401, 403).
 */
export const shownTo: Readonly<Record<string, string>> = {
  'GET /': 'a--paaa',
  'GET /incidents/1': 'a--paaa',
  'GET /scenario/staging/love': 'a--paaa',
  'GET /feed.atom': 'a--paaa',
  'GET /status.json': 's--ssss',
  'GET /badge/staging.svg': 's--ssss',
  'GET /metrics': 's---sss',
  'GET /healthz': 'apppaaa',
  'GET /assets/page.css': 'sssssss',
  'POST /incidents/1': '----ss-',
  'POST /maintenance/start': '----ss-',
  'POST /run': '----ss-',
};

const words: Readonly<Record<string, string>> = { a: 'everything', p: 'states, uptime', s: 'yes', '-': '–' };

export function readersOf(shown: string): string[] {
  return [...shown].map((letter) => words[letter] as string);
}
