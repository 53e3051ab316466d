import { mkdirSync } from 'node:fs';
import type { Exchange } from '../../src/client/index.ts';
import type { Environment } from '../../src/config/index.ts';
import { historyFile } from '../../src/monitor/index.ts';
import { RunWriter } from '../../src/monitor/recording/run-writer.ts';
import { systemClock } from '../../src/monitor/schedule/clock.ts';
import { type RunningMonitor, startMonitor } from '../../src/monitor/start.ts';
import type { AreaId } from '../../src/spec/index.ts';
import { fakeEnvironment, fakeExchange, fakeResult, quickSettings } from '../../src/testing/monitor/fakes.ts';
import { type HistoryAsked, makeHistory } from './make-history.ts';
import { madeUpScenarios } from './scenario-list.ts';

const MINUTE = 60_000;

export interface WorldAsked extends HistoryAsked {
  /** An empty folder. */
  readonly data: string;
}

export interface World extends RunningMonitor {
  readonly environments: readonly Environment[];
  /** Writes a run of a scenario down as if it had been run. */
  run(environment: Environment, title: string, area: AreaId, failure?: Failure): Promise<void>;
}

/** What a made-up failure shows: a response, or none. */
export interface Failure {
  readonly reason: string;
  readonly status?: number;
  /** Default: block. */
  readonly operation?: Exchange['operation'];
}

/** A monitor of made-up environments: it runs nothing by itself. */
export async function startWorld({ data, ...asked }: WorldAsked): Promise<World> {
  mkdirSync(data, { recursive: true });
  makeHistory(historyFile(data), asked);
  const environments = asked.environments.map((name) => fakeEnvironment(name));
  const running = await startMonitor({
    environments,
    scenarios: [],
    settings: quickSettings(data),
    say: () => {},
  });
  const { recorder } = running.monitor;
  const all = asked.environments.flatMap((environment) =>
    madeUpScenarios.map(([title, area]) => ({ environment, title, area, effect: 'read' as const })),
  );
  recorder.enterAll(all, asked.now);
  // What was entered after the start is news to the page.
  running.monitor.onChange();
  const writer = new RunWriter(recorder, systemClock);
  return {
    ...running,
    environments,
    run(environment, title, area, failure) {
      const now = Date.now();
      const first = failure
        ? fakeResult(failure.status === undefined ? 'unreachable' : 'failed', now, {
            title,
            area,
            ...evidence(environment, area, failure),
          })
        : fakeResult('passed', now, { title, area, durationMs: 20 + (now % 17), exchanges: [fakeExchange({ area })] });
      const run = { environment, observed: { first }, planned: now, intervalMs: MINUTE, at: now };
      return writer.write(run).then(() => running.monitor.onChange());
    },
  };
}

function evidence({ name, addresses }: Environment, area: AreaId, { reason, status, operation }: Failure) {
  const url = `${addresses[area]}v1/made-up`;
  const { response: usual, ...exchange } = fakeExchange({
    area,
    ...(operation ? { operation } : {}),
    request: { method: 'GET', url, headers: {}, correlation: {} },
  });
  const failing: Exchange =
    status === undefined || !usual
      ? {
          ...exchange,
          failure: { phase: 'connect', side: 'service', code: 'ECONNREFUSED', reason: 'connection refused' },
        }
      : {
          ...exchange,
          response: {
            ...usual,
            status,
            statusText: 'Internal Server Error',
            body: { bytes: 2, text: `{"made-up":"${name}"}`, json: { ok: false, problem: '' } },
          },
        };
  return { reason, curl: `curl -sS '${url}' -H 'Authorization: bearer ***'`, failing, exchanges: [failing] };
}
