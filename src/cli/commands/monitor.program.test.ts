import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { localElsewhere } from '../../testing/programs/local-elsewhere.ts';
import { isFree, startCommand, until } from '../../testing/programs/run-command.ts';
import { fetchOnce } from '../../testing/servers/fetch-once.ts';

const local = await localElsewhere();
const { base, env } = local;

test('alone it shows the embedded service, refuses a second monitor, ends cleanly, and its history can be read', async () => {
  const data = join(local.folder, 'data');
  // The settings of whoever runs the tests must not send anything from a test.
  const settings = join(local.folder, 'none.env');
  writeFileSync(settings, '');
  const running = startCommand(['monitor', '--port', '0', '--data', data, '--settings', settings], env);
  const page = () => /Status page: (http:\S+)/.exec(running.said())?.[1];
  await until(() => page() !== undefined, running);
  await until(async () => /All \d+ scenarios up/.test(await (await fetchOnce(page() as string)).text()), running);

  const second = startCommand(
    ['monitor', '--env', 'local', '--port', '0', '--data', data, '--settings', settings],
    env,
  );
  assert.equal(await second.ended, 2);
  assert.match(second.said(), /Another monitor is using this data folder/);

  const token = 'the-token-of-the-page-0123456789';
  const headers = { authorization: `Bearer ${token}` };
  // The page is gone for a moment while the configuration changes.
  const textOf = async (path: string) =>
    fetch(new URL(path, page()), { headers }).then(
      (response) => response.text(),
      () => '',
    );
  const metrics = () => textOf('/metrics');
  writeFileSync(settings, 'LOCATION=here\nEVERY=never\n');
  await until(() => /can't be used; the monitor goes on with the earlier one/.test(running.said()), running);
  assert.doesNotMatch(await metrics(), /location="here"/);
  writeFileSync(settings, 'LOCATION=here\n');
  await until(
    () => /The configuration has changed: the monitor goes on with the new one\./.test(running.said()),
    running,
  );
  await until(async () => /^probe_success\{.*location="here"/m.test(await metrics()), running);

  writeFileSync(settings, `LOCATION=there\nTOKEN=${token}\n`);
  await until(async () => /location="there"/.test(await metrics()), running);
  const asked = ['--env', 'loc*', '--url', page() as string, '--by', 'CI', '--settings', settings];
  const begun = startCommand(['maintenance', 'start', ...asked, '20m', '--why', 'release 41'], env);
  assert.equal(await begun.ended, 0, begun.said());
  assert.match(begun.said(), /Maintenance of local until 2/);
  await until(async () => /under_maintenance/.test(await textOf('/status.json')), running);
  const ended = startCommand(['maintenance', 'end', ...asked], env);
  assert.equal(await ended.ended, 0, ended.said());
  const again = startCommand(['maintenance', 'end', ...asked], env);
  assert.equal(await again.ended, 2);
  assert.match(again.said(), /none of local has maintenance that was started on demand/);

  running.child.kill('SIGINT');
  assert.equal(await running.ended, 0, running.said());
  assert.match(running.said(), /Stopped\. The history is complete\.\n$/);
  assert.ok(await isFree(base), 'the service was left behind');

  const exported = startCommand(['history', 'export', '--data', data, '--what', 'runs'], env);
  assert.equal(await exported.ended, 0, exported.said());
  const runs = exported
    .said()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  assert.ok(
    runs.length > 0 &&
      runs.every(({ environment, verdict }) => environment === 'local' && ['passed', 'skipped'].includes(verdict)),
  );
});
