import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { startMonitor } from '../../../src/monitor/start.ts';
import { healthOfRun } from '../../../src/monitor/status/run-health.ts';
import { scenarios } from '../../../src/runner/index.ts';
import { misbehaviours } from '../../../src/testing/misbehaviours.ts';
import { quickSettings, temporaryFolder } from '../../../src/testing/monitor/fakes.ts';
import { type Behaviour, startRawServer } from '../../../src/testing/raw-server.ts';
import { testEnvironment } from '../../../src/testing/test-environment.ts';
import { print } from './figures.ts';

// Switches through every misbehaviour under one running monitor: the state must be right, and the page must respond.
let behaviour: Behaviour = {};
const server = await startRawServer({
  onSocket: (socket) => behaviour.onSocket?.(socket),
  onRequest: (socket, request) => behaviour.onRequest?.(socket, request),
});
const address = new URL(`http://127.0.0.1:${server.port}/`);
const environment = testEnvironment(address.href);
const title = 'evaluate a flag that exists';
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
let tried = 0;
let slowest = 0;
for (const misbehaviour of misbehaviours.filter(({ titles }) => !titles || titles.includes(title))) {
  behaviour = misbehaviour;
  const since = Date.now();
  while (!last || last.at <= since) await wait(10);
  const asked = performance.now();
  const page = await (await fetch(running.url)).text();
  slowest = Math.max(slowest, performance.now() - asked);
  tried++;
  const state = running.monitor.recorder.standing({ environment: environment.name, title });
  const expected = healthOfRun({ verdict: misbehaviour.verdict });
  const isRight =
    last.verdict === misbehaviour.verdict && page.includes('</html>') && (expected !== 'down' || state.down.on);
  if (!isRight) wrong++;
  print(
    `${isRight ? 'right' : 'WRONG'}  ${misbehaviour.name}: ${last.verdict}${isRight ? '' : `, expected ${misbehaviour.verdict}`}`,
  );
}
print(`${tried} misbehaviours, ${wrong} wrong; the page's slowest answer ${Math.round(slowest)} ms`);
await running.stop();
await server.stop();
folder.end();
process.exitCode = wrong > 0 ? 1 : 0;
