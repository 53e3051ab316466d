import { mkdirSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import type { Exchange } from '../../src/client/index.ts';
import type { Environment } from '../../src/config/index.ts';
import { historyFile } from '../../src/monitor/index.ts';
import { RunWriter } from '../../src/monitor/recording/run-writer.ts';
import { systemClock } from '../../src/monitor/schedule/clock.ts';
import { type RunningMonitor, startMonitor } from '../../src/monitor/status-page/server/start.ts';
import type { AreaId } from '../../src/spec/index.ts';
import { fakeEnvironment, fakeExchange, fakeResult, quickSettings } from '../../src/testing/monitor/fakes.ts';
import { makeHistory } from './make-history.ts';

const scenarios: readonly (readonly [title: string, area: AreaId])[] = [
  ['block, then list, then unblock', 'friends'],
  ['block two, then unblock one', 'friends'],
  ['block twice', 'friends'],
  ['unblock somebody who is not blocked', 'friends'],
  ['who blocked me', 'friends'],
  ['list in pages', 'friends'],
  ['love, then unlove', 'stories'],
  ['love twice', 'stories'],
  ['fetch options, then report', 'stories'],
  ['report with a comment', 'stories'],
  ['clone type', 'gameDesign'],
  ['clone between two clients', 'gameDesign'],
  ['avatar add, then update', 'profile'],
  ['update profile', 'profile'],
  ['get friend profile', 'profile'],
  ['profile with every field', 'profile'],
  ['evaluate a flag that exists', 'features'],
  ['evaluate a flag with default', 'features'],
  ['evaluate for another user', 'features'],
  ['evaluate in two contexts', 'features'],
  ['delete by id', 'storage'],
  ['delete twice', 'storage'],
];

/** What a made-up failure shows. */
interface Failure {
  readonly reason: string;
  readonly status: number;
  readonly operation: Exchange['operation'];
}

/** A monitor of made-up environments: it runs nothing by itself. */
export interface World extends RunningMonitor {
  readonly environments: readonly Environment[];
  /** Writes a run of a scenario down as if it had been run. */
  run(environment: Environment, title: string, area: AreaId, failure?: Failure): Promise<void>;
}

/** A year of two environments, with three scenarios down now, in an empty folder; its figures are read. */
export async function threeDown(data: string): Promise<World> {
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
  const writer = new RunWriter(recorder, systemClock);
  const run: World['run'] = async (environment, title, area, failure) => {
    const now = Date.now();
    const first = failure
      ? fakeResult('failed', now, { title, area, ...evidence(environment, area, failure) })
      : fakeResult('passed', now, { title, area, durationMs: 20 + (now % 17), exchanges: [fakeExchange({ area })] });
    await writer.write({ environment, observed: { first }, planned: now, intervalMs: 60_000, at: now });
    running.monitor.onChange();
  };
  const [production, staging] = environments;
  const broken = { reason: 'documented: it succeeds (2xx) — 500 Internal Server Error', status: 500 };
  const reason =
    'documented: the list mentions a friend just blocked — "b7c1…" not found in 14 entries (after 2,000 ms)';
  await Promise.all([
    ...environments.flatMap((each) => scenarios.map(([title, area]) => run(each, title, area))),
    run(production, 'love, then unlove', 'stories', { ...broken, operation: 'love' }),
    run(production, 'love twice', 'stories', { ...broken, operation: 'love' }),
    run(staging, 'block, then list, then unblock', 'friends', { reason, status: 200, operation: 'listBlocked' }),
  ]);
  while (/id="s\d+".*class="p95">…</.test(await (await fetch(running.url)).text())) await wait(500);
  return { ...running, environments, run };
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
