import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { isFree, localElsewhere, startCommand, until } from '../../testing/programs/run-command.ts';
import { runInProcess } from '../../testing/programs/run-in-process.ts';
import { fetchOnce } from '../../testing/servers/listening.ts';
import { ownEnvironments, ownService } from '../../testing/servers/own-service.ts';
import { unansweredLove } from '../../testing/servers/unanswered-love.ts';
import { environmentText } from '../../testing/test-environment.ts';

const local = await localElsewhere();
const { base, env } = local;
Object.assign(process.env, env);
/** Runs a command that asks the monitor or reads its history; resolves with its output. */
async function asked(args: readonly string[], code = 0): Promise<string> {
  const ended = await runInProcess(args);
  assert.equal(ended.code, code, ended.out + ended.err);
  return ended.out + ended.err;
}

test('alone it shows the embedded service, refuses a second monitor, ends cleanly, and its history can be read', async () => {
  const data = join(local.folder, 'data');
  // The settings file is empty, because the settings of the person who runs the tests might send notices.
  const settings = join(local.folder, 'none.env');
  writeFileSync(settings, '');
  const flags = ['--port', '0', '--data', data, '--settings', settings];
  const running = startCommand(['monitor', ...flags], env);
  const page = () => /Status page: (http:\S+)/.exec(running.said())?.[1];
  await until(() => page() !== undefined, running);
  await until(async () => /All \d+ scenarios up/.test(await (await fetchOnce(page() as string)).text()), running, 500);

  const second = await asked(['monitor', '--env', 'local', ...flags], 2);
  assert.match(second, /Another monitor is using this data folder/);

  const token = 'the-token-of-the-page-0123456789';
  const headers = { authorization: `Bearer ${token}` };
  // While the monitor restarts with a changed configuration, its page can't be reached for a moment. So a failed request returns an empty
  // text.
  const textOf = async (path: string) =>
    fetch(new URL(path, page()), { headers }).then(
      (response) => response.text(),
      () => '',
    );
  const metrics = () => textOf('/metrics');
  writeFileSync(settings, 'LOCATION=here\nEVERY=never\n');
  await until(() => /can't be used; the monitor continues with the earlier one/.test(running.said()), running);
  assert.doesNotMatch(await metrics(), /location="here"/);
  writeFileSync(settings, 'LOCATION=here\n');
  await until(
    () => /The configuration has changed: the monitor continues with the new one\./.test(running.said()),
    running,
  );
  await until(async () => /^probe_success\{.*location="here"/m.test(await metrics()), running, 500);

  writeFileSync(settings, `LOCATION=there\nTOKEN=${token}\n`);
  await until(async () => /location="there"/.test(await metrics()), running, 500);
  const at = ['--env', 'loc*', '--url', page() as string, '--settings', settings];
  const lastRun = async () =>
    Number(/^sextant_last_run_timestamp_seconds\{.*"read-only round".* (\S+)$/m.exec(await metrics())?.[1]);
  await until(async () => (await lastRun()) > 0, running, 500);
  const before = Date.now() / 1_000;
  assert.match(
    await asked(['monitor', 'run', 'read-only r*', ...at]),
    /^"read-only round" in local (runs now|is running)/,
  );
  await until(async () => (await lastRun()) >= before, running, 500);
  assert.match(
    await asked(['monitor', 'run', 'nothing', ...at], 2),
    /says: no monitored scenario in loc\* matches "nothing"/,
  );
  const by = [...at, '--by', 'CI'];
  const begun = await asked(['maintenance', 'start', ...by, '20m', '--why', 'release 41']);
  assert.match(begun, /^\S+ began maintenance of local, until 2/);
  await until(async () => /under_maintenance/.test(await textOf('/status.json')), running);
  await asked(['maintenance', 'end', ...by]);
  const again = await asked(['maintenance', 'end', ...by], 2);
  assert.match(again, /none of local has maintenance that was started on demand/);

  running.child.kill('SIGINT');
  assert.equal(await running.ended, 0, running.said());
  assert.match(running.said(), /Stopped\. The history is complete\.\n$/);
  assert.ok(await isFree(base), 'the service was left behind');

  const exported = await asked(['history', 'export', '--data', data, '--what', 'runs']);
  for (const line of exported.trim().split('\n')) {
    const { environment, verdict } = JSON.parse(line);
    assert.ok(environment === 'local' && ['passed', 'skipped'].includes(verdict), line);
  }
});

test('a monitor that is stopped while a change is on its way waits for one undo, and says that it is left', async (t) => {
  const { addresses, isMade, asked } = await unansweredLove(t, await ownService());
  const keys = { ALLOWED_EFFECTS: 'read,reversible', REQUEST_TIMEOUT_MS: '600000' };
  const own = ownEnvironments({ left: environmentText(addresses, keys) });
  Object.assign(process.env, own.env);
  t.after(() => Object.assign(process.env, env));
  const settings = join(own.folder, 'none.env');
  writeFileSync(settings, '');
  const files = ['--settings', settings, '--data', join(own.folder, 'data')];
  const args = ['monitor', '--env', 'left', '--grep', 'love, then unlove', '--port', '0', ...files];
  const { code, out, err } = await runInProcess(args, { stopAt: /Press Ctrl-C/, visit: () => isMade });
  assert.equal(code, 0, out + err);
  assert.match(
    err,
    /^left: stopped before it had undone 1 change\. .*\n {2}LEFT {4}love .*: undone once, but the change may arrive after its undo$/m,
  );
  assert.deepEqual(asked.slice(-2), ['love', 'unlove']);
});
