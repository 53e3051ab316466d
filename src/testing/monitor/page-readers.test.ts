import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request, type ServerResponse } from 'node:http';
import { after, test } from 'node:test';
import type { Live } from '../../monitor/status-page/server/live.ts';
import type { Pages } from '../../monitor/status-page/server/pages.ts';
import { pageServer } from '../../monitor/status-page/server/server.ts';
import { readers, shownTo } from './page-readers.ts';

/** Pages that say for whom they were drawn. */
function fakePages(settings: object): Pages {
  const to = (isPublic: boolean) => `for ${isPublic ? 'public' : 'all'}`;
  return {
    monitor: {
      settings: { isPublic: false, listen: '127.0.0.1', ...settings },
      recorder: { edition: 'e-1', announce: () => [] },
      environments: [{ name: 'staging' }],
      runNow: () => 1,
      health: () => ({ isWell: true, problems: ['for all'] }),
    },
    overview: to,
    incidents: to,
    scenario: async (_environment: string, _name: string, isPublic: boolean) => to(isPublic),
    incident: (_id: number, isPublic: boolean) => to(isPublic),
    handle: () => undefined,
    atom: () => 'atom',
    status: () => '{}',
    badge: () => ({ headers: {}, body: 'badge' }),
    metrics: { page: async () => ({ headers: {}, body: 'up 1' }) },
  } as unknown as Pages;
}

const live = {
  isFull: false,
  add: (response: ServerResponse) => response.end(),
};
const asking = await Promise.all(
  Object.values(readers).map(async ({ settings, headers }) => {
    const page = pageServer(fakePages(settings), live as unknown as Live);
    return { headers, page, url: await page.listen({ host: '127.0.0.1', port: 0 }) };
  }),
);
after(() => Promise.all(asking.map(({ page }) => page.close())));

/** The letter of `shownTo`. */
async function shown(asked: string, { headers, url }: (typeof asking)[number]): Promise<string> {
  const [method, path = '/'] = asked.split(' ');
  const sent = request(new URL(path, url), { method, headers }).end(method === 'POST' ? 'env=staging' : '');
  const [response] = await once(sent, 'response');
  let text = '';
  for await (const chunk of response) text += chunk;
  if ([401, 403].includes(response.statusCode)) return '-';
  assert.ok(response.statusCode < 400, `${response.statusCode} ${text}`);
  if (path === '/healthz') return text.includes('for all') ? 'a' : 'p';
  return text === 'for all' ? 'a' : text === 'for public' ? 'p' : 's';
}

for (const [asked, expected] of Object.entries(shownTo))
  test(`${asked}: who may`, async () => {
    const found = await Promise.all(asking.map((reader) => shown(asked, reader)));
    assert.equal(found.join(''), expected);
  });
