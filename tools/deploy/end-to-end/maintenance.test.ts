import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse, stringify } from 'yaml';
import { ownFolder } from '../../../src/testing/own-folder.ts';
import { alertReceiver, startAlertmanager } from '../../../src/testing/programs/alertmanager.ts';
import { freePortsInARow, until } from '../../../src/testing/programs/run-command.ts';
import { missing } from '../programs.ts';
import { prometheusFolder } from '../rules.ts';
import { faster } from './watched-world.ts';

test('during the maintenance of an environment its alerts are muted, those of the others are not', {
  skip: missing('prometheus-alertmanager'),
}, async (t) => {
  const sent = await alertReceiver();
  t.after(() => sent.end());
  const text = readFileSync(join(prometheusFolder, 'alertmanager.yml'), 'utf8').replaceAll(
    '127.0.0.1:9095',
    sent.address,
  );
  const config = parse(faster(text, 20)) as { time_intervals: { name: string; time_intervals: object[] }[] };
  assert.deepEqual(
    config.time_intervals.map(({ name }) => name),
    ['maintenance-of-staging'],
  );
  for (const interval of config.time_intervals)
    interval.time_intervals = [{ times: [{ start_time: '00:00', end_time: '24:00' }] }];
  const port = await freePortsInARow();
  const program = startAlertmanager(ownFolder(), stringify(config), port);
  const alerts = ['staging', 'production'].flatMap((environment) => [
    { labels: { alertname: 'SextantScenarioFailing', environment, scenario: 'a', severity: 'page' } },
    { labels: { alertname: 'SextantDrifted', environment, scenario: 'b', severity: 'ticket' } },
  ]);
  const headers = { 'content-type': 'application/json' };
  const request = { method: 'POST', headers, body: JSON.stringify(alerts) };
  // It doesn't listen at once.
  const takesAlerts = () => fetch(`http://127.0.0.1:${port}/api/v2/alerts`, request).catch(() => undefined);
  await until(async () => (await takesAlerts())?.ok === true, program);
  const arrived = () =>
    ['/pages', '/tickets'].flatMap((to) => sent.sentTo(to).map(({ labels }) => `${to} ${labels.environment}`)).sort();
  // Both of staging would be sent, but for the time.
  const muted = () => [...program.said().matchAll(/Notifications not sent, route is within mute time/g)].length;
  await until(() => muted() >= 2 && arrived().length >= 2, program);
  assert.deepEqual([...new Set(arrived())], ['/pages production', '/tickets production']);
});
