import { mkdirSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import type { Exchange } from '../../src/client/index.ts';
import type { Environment } from '../../src/config/index.ts';
import { historyFile } from '../../src/monitor/index.ts';
import { startMonitor } from '../../src/monitor/status-page/server/start.ts';
import type { ScenarioResult } from '../../src/runner/index.ts';
import type { AreaId } from '../../src/spec/index.ts';
import { fakeEnvironment, fakeExchange, fakeResult, quickSettings } from '../../src/testing/monitor/fakes.ts';
import { makeHistory } from './make-history.ts';

const titles: Readonly<Record<string, readonly string[]>> = {
  friends: [
    ...['block, then list, then unblock', 'block two, then unblock one', 'block twice'],
    ...['unblock somebody who is not blocked', 'who blocked me', 'list in pages'],
  ],
  stories: ['love, then unlove', 'love twice', 'fetch options, then report', 'report with a comment'],
  gameDesign: ['clone type', 'clone between two clients'],
  profile: ['avatar add, then update', 'update profile', 'get friend profile', 'profile with every field'],
  features: [
    ...['evaluate a flag that exists', 'evaluate a flag with default'],
    ...['evaluate for another user', 'evaluate in two contexts'],
  ],
  storage: ['delete by id', 'delete twice'],
} satisfies Partial<Record<AreaId, readonly string[]>>;
const scenarios = Object.entries(titles).flatMap(([area, all]) => all.map((title) => [title, area as AreaId] as const));

/** What a made-up failure shows. */
interface Failure {
  readonly reason: string;
  readonly status: number;
  readonly operation: Exchange['operation'];
}

export type World = Awaited<ReturnType<typeof threeDown>>;

/** A monitor of a year of two environments, with three scenarios down now, in an empty folder; its figures are read, and it runs nothing by itself. */
export async function threeDown(data: string) {
  const environments = [fakeEnvironment('made-up-production'), fakeEnvironment('made-up-staging')] as const;
  const names = environments.map(({ name }) => name);
  mkdirSync(data, { recursive: true });
  makeHistory(historyFile(data), names, scenarios);
  const running = await startMonitor({ environments, scenarios: [], settings: quickSettings(data), say: () => {} });
  const { recorder } = running.monitor;
  const all = names.flatMap((environment) =>
    scenarios.map(([title, area]) => ({ environment, title, area, effect: 'read' as const })),
  );
  recorder.enterAll(all, Date.now());
  const now = Date.now();
  const run = (environment: Environment, first: ScenarioResult) => ({
    environment,
    observed: { first },
    planned: now,
    intervalMs: 60_000,
    at: now,
  });
  const passed = (environment: Environment, title: string, area: AreaId) =>
    run(environment, fakeResult('passed', now, { title, area, durationMs: 20, exchanges: [fakeExchange({ area })] }));
  const failed = (environment: Environment, title: string, area: AreaId, failure: Failure) =>
    run(environment, fakeResult('failed', now, { title, area, ...evidence(environment, area, failure) }));
  const [production, staging] = environments;
  const broken = { reason: 'documented: it succeeds (2xx) — 500 Internal Server Error', status: 500 };
  const reason =
    'documented: the list mentions a friend just blocked — "b7c1…" not found in 14 entries (after 2,000 ms)';
  recorder.recordAll([
    ...environments.flatMap((each) => scenarios.map(([title, area]) => passed(each, title, area))),
    failed(production, 'love, then unlove', 'stories', { ...broken, operation: 'love' }),
    failed(production, 'love twice', 'stories', { ...broken, operation: 'love' }),
    failed(staging, 'block, then list, then unblock', 'friends', { reason, status: 200, operation: 'listBlocked' }),
  ]);
  while (/id="s\d+".*class="p95">…</.test(await (await fetch(running.url)).text())) await wait(500);
  return running;
}

function evidence({ name, addresses }: Environment, area: AreaId, { reason, status, operation }: Failure) {
  const url = `${addresses[area]}v1/made-up`;
  const failing = fakeExchange({
    area,
    operation,
    request: { method: 'GET', url, headers: {}, correlation: {} },
    response: {
      status,
      statusText: 'Internal Server Error',
      headers: [],
      body: { bytes: 2, text: `{"made-up":"${name}"}`, json: { ok: false, problem: '' } },
    },
  });
  return { reason, curl: `curl -sS '${url}' -H 'Authorization: bearer ***'`, failing, exchanges: [failing] };
}
