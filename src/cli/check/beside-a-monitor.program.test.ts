import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import type { Fault } from '../../../reference-service/index.ts';
import { serviceReadings } from '../../../reference-service/readings/index.ts';
import { HistoryDatabase, historyFile } from '../../monitor/index.ts';
import { ran, startCommand, until } from '../../testing/programs/run-command.ts';
import { ownEnvironments, ownService } from '../../testing/servers/own-service.ts';
import { environmentText, seededData } from '../../testing/test-environment.ts';

const NAME = 'shared';
const CHECKS = 8;

test(`${CHECKS} checks next to a monitor of the same users, while the stories hang: all green, and nothing else goes down`, async (t) => {
  const service = await ownService();
  // The service refuses a block that already exists. So a check fails if it blocks a user while the monitor's block of this user exists.
  // The service is slow, so that the block exists during most of a scenario.
  const slow: Fault = { name: 'slow', operation: 'all', arrive: () => () => wait(40, undefined) };
  service.faults.set(slow, ...serviceReadings.changeAgain.refused.changes(''), {
    name: 'loves hang',
    operation: 'love',
    arrive: () => () => wait(3_000, undefined, { ref: false }) as Promise<never>,
  });
  const keys = { ...seededData, ALLOWED_EFFECTS: 'read,reversible', REQUEST_TIMEOUT_MS: '1000' };
  const own = ownEnvironments({ [NAME]: environmentText(service.addresses, keys) });
  const settings = join(own.folder, 'none.env');
  writeFileSync(settings, '');
  const data = join(own.folder, 'data');
  const flags = ['--env', NAME, '--every', '5s', '--port', '0', '--data', data, '--settings', settings];
  const monitoring = startCommand(['monitor', ...flags], own.env);
  await until(() => monitoring.said().includes('Press Ctrl-C'), monitoring);
  const started = Date.now();
  const check = () => ran(['check', '--env', NAME, '--area', 'friends'], own.env);
  for (let count = 0; count < CHECKS; count += 2) await Promise.all([check(), check()]);
  monitoring.child.kill('SIGINT');
  assert.equal(await monitoring.ended, 0, monitoring.said());
  const history = new HistoryDatabase(historyFile(data), { readOnly: true });
  const runs = history.all(
    'SELECT title, area, effect, verdict, started FROM run JOIN scenario ON scenario.id = run.scenario',
  );
  const flips = history.all('SELECT title, "to" FROM flip JOIN scenario ON scenario.id = flip.scenario');
  history.close();
  const unjudged = runs.filter(({ verdict }) => verdict === 'unknown');
  assert.deepEqual(unjudged, []);
  assert.deepEqual(
    flips.filter(({ title, to }) => to === 'down' && !/love|report/.test(String(title))),
    [],
    monitoring.said(),
  );
  const during = (effect: string) =>
    runs.filter((run) => run.effect === effect && Number(run.started) > started).length;
  t.diagnostic(`${during('read')} reads and ${during('reversible')} changes of the monitor meanwhile`);
  assert.ok(during('read') > 0 && during('reversible') > 0);
});
