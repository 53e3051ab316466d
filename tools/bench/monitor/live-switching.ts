import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Environment } from '../../../src/config/index.ts';
import { startMonitor } from '../../../src/monitor/start.ts';
import { healthOfRun } from '../../../src/monitor/status/run-health.ts';
import { scenarios } from '../../../src/runner/index.ts';
import type { Misbehaviour } from '../../../src/testing/misbehaviours.ts';
import { quickSettings, temporaryFolder } from '../../../src/testing/monitor/fakes.ts';
import { print } from './figures.ts';

/** The scenario that is monitored. */
export const title = 'evaluate a flag that exists';

export interface Switched {
  readonly tried: number;
  readonly wrong: number;
  /** The page's slowest response, in ms. */
  readonly slowest: number;
}

/** Switches a service through misbehaviours under one running monitor: each state must be right, and the page must respond. */
export async function switchThrough<M extends Misbehaviour>(
  environment: Environment,
  rows: readonly M[],
  switchTo: (row: M) => void | Promise<void>,
): Promise<Switched> {
  const folder = temporaryFolder();
  const running = await startMonitor({
    environments: [environment],
    scenarios: (await scenarios()).filter((scenario) => scenario.title === title),
    settings: quickSettings(join(folder.path, 'data'), { everyMs: 100, confirmAfterMs: 10 }),
    say: () => {},
  });
  let last: { verdict: string; at: number } | undefined;
  const { onRun } = running.monitor;
  running.monitor.onRun = (run) => {
    onRun(run);
    last = { verdict: run.observed.first.verdict, at: run.observed.first.startedAt };
  };
  let wrong = 0;
  let slowest = 0;
  for (const row of rows) {
    await switchTo(row);
    const since = Date.now();
    while (!last || last.at <= since) await wait(10);
    const asked = performance.now();
    const page = await (await fetch(running.url)).text();
    slowest = Math.max(slowest, performance.now() - asked);
    const { down } = running.monitor.recorder.scenario({ environment: environment.name, title }).standing;
    const isDown = healthOfRun({ verdict: row.verdict }) === 'down';
    const isRight = last.verdict === row.verdict && page.includes('</html>') && (!isDown || down.on);
    if (!isRight) wrong++;
    print(`${isRight ? 'right' : 'WRONG'}  ${row.name}: ${last.verdict}${isRight ? '' : `, expected ${row.verdict}`}`);
  }
  await running.stop();
  folder.end();
  return { tried: rows.length, wrong, slowest };
}
