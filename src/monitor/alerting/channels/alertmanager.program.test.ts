import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { fakeNotice, fakeSending } from '../../../testing/monitor/fakes.ts';
import { temporaryHistory } from '../../../testing/monitor/open-recorder.ts';
import { ownFolder } from '../../../testing/own-folder.ts';
import { startAlertmanager } from '../../../testing/programs/alertmanager.ts';
import { freePortsInARow, until } from '../../../testing/programs/run-command.ts';
import { addNotice } from '../../history/outbox.ts';
import { OutboxDispatcher, RENEW_MS } from '../outbox-dispatcher.ts';
import { channelTypes } from './registry.ts';

const binary = ['prometheus-alertmanager', 'alertmanager'].find((name) => spawnSync(name, ['--version']).status === 0);
const why = binary ? false : 'needs an Alertmanager: apt-get install prometheus-alertmanager';

interface Alert {
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly endsAt: string;
}

async function alerts(url: string): Promise<Alert[]> {
  return (await (await fetch(`${url}/api/v2/alerts?active=true`)).json()) as Alert[];
}

test('a real Alertmanager: an incident is one alert through all its notices, resolved when it is over', {
  skip: why,
}, async (t) => {
  const port = await freePortsInARow();
  const url = `http://127.0.0.1:${port}`;
  const config = 'route:\n  receiver: nobody\nreceivers:\n  - name: nobody\n';
  const program = startAlertmanager(ownFolder(), config, port, binary);
  t.after(() => program.child.kill('SIGKILL'));
  await until(async () => (await fetch(`${url}/-/ready`).catch(() => undefined))?.ok === true, program);
  const send = channelTypes.alertmanager.open({ ALERTMANAGER_URL: url });
  for (const kind of ['down', 'more', 'still'] as const) await send(fakeNotice(kind), fakeSending());
  const [alert, ...others] = await alerts(url);
  assert.equal(others.length, 0);
  assert.deepEqual(
    [alert?.labels.alertname, alert?.labels.environment, alert?.labels.incident],
    ['SextantDown', 'staging', 'i-1'],
  );
  assert.match(alert?.annotations.reason ?? '', /the list mentions/);
  assert.ok(Date.parse(alert?.endsAt ?? '') > Date.now() + 7 * 86_400_000, 'it must not resolve itself');
  await send(fakeNotice('up'), fakeSending());
  assert.deepEqual(await alerts(url), []);
});

test('a real Alertmanager that has restarted without its data gets the firing alert again', {
  skip: why,
}, async (t) => {
  const port = await freePortsInARow();
  const url = `http://127.0.0.1:${port}`;
  const config = 'route:\n  receiver: nobody\nreceivers:\n  - name: nobody\n';
  const started = async () => {
    const program = startAlertmanager(ownFolder(), config, port, binary);
    t.after(() => program.child.kill('SIGKILL'));
    await until(async () => (await fetch(`${url}/-/ready`).catch(() => undefined))?.ok === true, program);
    return program;
  };
  const first = await started();
  const db = temporaryHistory(t);
  const channels = new Map([['alertmanager', channelTypes.alertmanager.open({ ALERTMANAGER_URL: url })]]);
  const dispatcher = new OutboxDispatcher({ db, channels, onTrouble: () => {} });
  t.after(() => dispatcher.stop(0));
  const isThere = async () => {
    dispatcher.look();
    return (await alerts(url)).length === 1;
  };
  const body = JSON.stringify(fakeNotice('down'));
  addNotice(db, { kind: 'down', incident: 1, channel: 'alertmanager', body }, Date.now());
  await until(isThere, first);
  first.child.kill('SIGKILL');
  await once(first.child, 'exit');
  const second = await started();
  assert.deepEqual(await alerts(url), []);
  db.run('UPDATE notice SET sent = sent - ?', RENEW_MS);
  await until(isThere, second);
});
