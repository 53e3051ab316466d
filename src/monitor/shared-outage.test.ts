import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { startService } from '../../reference-service/index.ts';
import type { Environment } from '../config/index.ts';
import { scenarios } from '../runner/index.ts';
import { fakeEnvironment, fakeExchange, fakeResult, quickSettings, temporaryFolder } from '../testing/monitor/fakes.ts';
import { makeRecorder, recordRun } from '../testing/monitor/open-recorder.ts';
import { receiver } from '../testing/monitor/receiver.ts';
import { until } from '../testing/monitor/watched-service.ts';
import { freePortsInARow } from '../testing/run-command.ts';
import { embeddedEnvironment } from '../testing/test-environment.ts';
import { webhook } from './alerting/channels/webhook.ts';
import type { Notice } from './alerting/notice.ts';
import { noticeLines } from './alerting/notice-lines.ts';
import { startMonitor } from './start.ts';

const MINUTE = 60_000;
const NAMES = ['east', 'north', 'south', 'west'] as const;
type Name = (typeof NAMES)[number];

/** Environments of one host, and a history that can be closed and opened again. */
function shared(t: TestContext) {
  const { path, end } = temporaryFolder();
  t.after(end);
  const environments = Object.fromEntries(
    NAMES.map((name) => {
      const made = fakeEnvironment(name);
      const addresses = Object.fromEntries(
        Object.entries(made.addresses).map(([area]) => [area, new URL(`http://shared.test/${name}/${area}/`)]),
      );
      return [name, { ...made, addresses } as unknown as Environment];
    }),
  ) as Record<Name, Environment>;
  const open = () => {
    const recorder = makeRecorder(join(path, 'h.sqlite'), Object.values(environments));
    for (const environment of NAMES)
      for (const title of ['block', 'love'])
        recorder.enterAll([{ environment, title, area: 'friends', effect: 'read' }], 0);
    return recorder;
  };
  const state = { recorder: open() };
  t.after(() => state.recorder.close());
  const restart = () => {
    state.recorder.close();
    state.recorder = open();
  };
  const { response: _, ...call } = fakeExchange();
  const failure = { phase: 'connect', side: 'service', code: 'ECONNREFUSED', reason: 'connection refused' } as const;
  const run = (minute: number, name: Name, isDown: boolean, others: readonly Name[] = []) => {
    for (const title of ['block', 'love']) {
      const first = fakeResult(isDown ? 'unreachable' : 'passed', minute * MINUTE, {
        title,
        ...(isDown ? { failing: { ...call, failure } } : {}),
      });
      const alike = { phase: 'connect', code: 'ECONNREFUSED', areas: ['friends'], others } as const;
      const observed = { first, ...(isDown ? { alike } : {}) };
      recordRun(state.recorder, environments[name], observed, minute * MINUTE);
    }
  };
  const notices = () =>
    state.recorder.db.all('SELECT body FROM notice ORDER BY id').map(({ body }) => JSON.parse(String(body)) as Notice);
  return { state, run, restart, notices };
}

test('one host gone is one incident and one notice for all its environments, through a restart and a recovery in parts', (t) => {
  const { state, run, restart, notices } = shared(t);
  for (const name of NAMES) run(0, name, false);
  run(1, 'north', true, ['east', 'west']);
  const headlines = () => notices().map(({ kind, headline }) => `${kind}: ${headline}`);
  const down = 'down: north, east and west: nothing answers at shared.test (refused)';
  assert.deepEqual(headlines(), [down]);
  run(1, 'east', true, ['north', 'west']);
  restart();
  run(2, 'west', true, ['north', 'east']);
  state.recorder.pass(10 * MINUTE);
  assert.deepEqual(headlines(), [down], 'they were named already');
  assert.equal(state.recorder.incidents.open.length, 1);
  assert.deepEqual(
    state.recorder.incidents.open[0]?.open.map(({ scenario }) => `${scenario.environment} ${scenario.title}`),
    ['north block', 'north love', 'east block', 'east love', 'west block', 'west love'],
  );

  run(11, 'north', false);
  restart();
  run(12, 'east', false);
  state.recorder.pass(13 * MINUTE);
  const parts = [
    'part: north is back; east and west have been down for up to 11 min',
    'part: east is back; west has been down for 11 min',
  ];
  assert.deepEqual(headlines(), [down, ...parts], 'west is still down');
  state.recorder.pass(200 * MINUTE);
  const still = 'still: west: nothing has answered at shared.test for 3 h 18 min (Friends: 1 of 6 addresses refused)';
  assert.deepEqual(headlines(), [down, ...parts, still]);
  run(210, 'west', false);
  const up = 'up: west: connections to shared.test succeed again after 3 h 28 min';
  assert.deepEqual(headlines(), [down, ...parts, still, up]);
  assert.equal(state.recorder.incidents.open.length, 0);
  assert.equal(new Set(notices().map(({ incident }) => incident)).size, 1);
  assert.deepEqual(
    notices().map(({ environment, environments }) => [environment, environments?.length]),
    [
      ['north', 3],
      ['north', 3],
      ['north', 2],
      ['north', undefined],
      ['north', undefined],
    ],
  );
});

test('an environment that fails with the others and was not named is one more notice', (t) => {
  const { state, run, notices } = shared(t);
  for (const name of NAMES) run(0, name, false);
  run(1, 'north', true, ['east']);
  run(2, 'south', true, ['north', 'east']);
  state.recorder.pass(5 * MINUTE);
  assert.deepEqual(
    notices().map(({ kind, environments }) => [kind, environments]),
    [
      ['down', ['north', 'east']],
      ['more', ['south', 'north', 'east']],
    ],
  );
  assert.equal(
    notices()[1]?.headline,
    'south: nothing answers at shared.test (Friends: 1 of 6 addresses refused); north has been down for 1 min',
  );
  const lines = noticeLines(notices()[1] ?? assert.fail());
  assert.ok(lines.includes('3 environments: south, north, east'));
  assert.ok(lines.includes('south: block (Friends): unreachable'), lines.join('\n'));
});

test('two environments of a service that stops: one notice names both, and one says that it is back', async (t) => {
  const { path, end } = temporaryFolder();
  const port = await freePortsInARow();
  const service = await startService({ port });
  const people = await receiver();
  const environments = ['east', 'west'].map((name) => embeddedEnvironment(service, { name, consistencyTimeoutMs: 50 }));
  const running = await startMonitor({
    environments,
    scenarios: (await scenarios()).filter(({ title }) => title === 'evaluate a flag that exists'),
    settings: quickSettings(join(path, 'data'), {
      everyMs: 300,
      channels: new Map([['webhook', webhook.open({ WEBHOOK_URL: people.url })]]),
      rule: { downAfter: 1, upAfter: 2, remindAfterMs: 3_600_000, gatherMs: 0 },
    }),
    say: () => {},
  });
  let isRunning = true;
  t.after(async () => {
    if (isRunning) await running.stop();
    people.end();
    end();
  });
  const { recorder } = running.monitor;
  await until(
    () =>
      recorder.scenarios.monitored.length === 2 &&
      recorder.scenarios.monitored.every(({ standing }) => standing.judged),
  );
  await service.stop();
  await until(() => recorder.scenarios.monitored.every(({ standing }) => standing.down.on));
  assert.equal(recorder.incidents.open.length, 1);

  const again = await startService({ port });
  t.after(() => again.stop());
  await people.until(2);
  isRunning = false;
  await running.stop();
  const headlines = people.received.map(({ body }) => {
    const { kind, headline } = JSON.parse(body) as Notice;
    return `${kind}: ${headline.replace('west and east', 'east and west').replace(/ after .*/, '')}`;
  });
  assert.deepEqual(headlines, [
    'down: east and west: nothing answers at 127.0.0.1 (refused)',
    'up: east and west: connections to 127.0.0.1 succeed again',
  ]);
});
