import assert from 'node:assert/strict';
import { existsSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { localElsewhere, startCommand, until } from '../../testing/programs/run-command.ts';
import { runInProcess } from '../../testing/programs/run-in-process.ts';
import { fetchOnce } from '../../testing/servers/listening.ts';
import { ownEnvironments, ownService } from '../../testing/servers/own-service.ts';
import { environmentText, seededData } from '../../testing/test-environment.ts';

const service = await ownService();
const own = ownEnvironments({});
const write = (name: string, rest = {}) =>
  own.write(name, environmentText(service.addresses, { ...seededData, ...rest }));
const env = { ...own.env, SEXTANT_STATE: join(own.folder, 'state'), PROBER_LISTEN: '127.0.0.1:0' };

const urlOf = (said: string) => /Prober: (http:\S+)/.exec(said)?.[1];

async function askAt(url: string | undefined, path: string): Promise<{ status: number; text: string }> {
  const response = await fetchOnce(new URL(path, url));
  return { status: response.status, text: await response.text() };
}

/** Runs a prober in this process with additional environment variables, and calls `visit` while it runs. */
async function visited(
  args: readonly string[],
  more: Readonly<Record<string, string>>,
  visit: (out: string, ask: (path: string) => ReturnType<typeof askAt>) => Promise<void>,
): Promise<void> {
  Object.assign(process.env, env, more);
  const { code, out, err } = await runInProcess(['prober', ...args], {
    stopAt: /Press Ctrl-C/,
    visit: (said) => visit(said, (path) => askAt(urlOf(said), path)),
  });
  assert.equal(code, 0, out + err);
}

test('it probes what it is asked for, outlives a file that breaks, reads changes, and drains when it is stopped', async () => {
  write('one');
  write('two');
  own.write('three', 'STORY_URL=\n');
  const prober = startCommand(['prober', '--env', '*', '--trust-state'], env);
  await until(() => urlOf(prober.said()) !== undefined, prober);
  const ask = (path: string) => askAt(urlOf(prober.said()), path);
  assert.match(prober.said(), /Probing \d+ scenarios in one, three, two\./);
  assert.match(prober.said(), /three\.env\n(?: +\w+ +is missing.*\n)* +FRIEND_URL +is missing/);

  const module = 'module=block-then-list-then-unblock';
  assert.match((await ask(`/probe?target=one&${module}`)).text, /^probe_success 1$/m);
  const three = await ask('/probe?target=three');
  assert.equal(three.status, 500);
  assert.match(three.text, /three\.env\n(?: +\w+ +is missing.*\n)* +FRIEND_URL +is missing/);
  const targets = async () =>
    (JSON.parse((await ask('/targets')).text) as { targets: string[] }[]).flatMap((each) => each.targets);
  assert.deepEqual([...new Set(await targets())], ['one', 'two']);

  write('one', { STORY_URL: 'nowhere' });
  await until(async () => (await ask(`/probe?target=one&${module}`)).status === 500, prober, 500);
  assert.match((await ask(`/probe?target=two&${module}`)).text, /^probe_success 1$/m);
  assert.match((await ask('/healthz')).text, /"isWell":false.*"environment":"one".*STORY_URL/);
  assert.match((await ask('/metrics')).text, /^sextant_environment_problem\{environment="one"\} 1$/m);
  write('one', { ACCESS_TOKEN: 'no-longer-accepted' });
  write('three');
  write('four');
  await until(async () => (await ask(`/probe?target=four&${module}`)).status === 200, prober, 500);
  assert.match((await ask(`/probe?target=one&${module}`)).text, /^sextant_verdict\{verdict="refused"\} 1$/m);
  assert.match((await ask(`/probe?target=three&${module}`)).text, /^probe_success 1$/m);

  const last = ask('/probe?target=two');
  await until(async () => /^sextant_prober_probes_running [1-9]/m.test((await ask('/metrics')).text), prober);
  prober.child.kill('SIGTERM');
  assert.match((await last).text, /^probe_success \d$/m);
  assert.equal(await prober.ended, 0, prober.said());
  assert.match(prober.said(), /Stopped\.\n$/);
});

test('alone it probes the embedded service', async () => {
  const local = await localElsewhere();
  await visited(['--area', 'features'], local.env, async (_, ask) => {
    assert.match((await ask('/probe?target=local')).text, /^probe_success 1$/m);
    assert.match((await ask('/probe?target=local&module=stories')).text, /^No module "stories"/);
  });
});

const memory = '/dev/shm';

test('where state would be lost it sends only what reads, and says why', {
  skip: existsSync(memory) ? false : `there is no ${memory}`,
}, async () => {
  write('one');
  const state = join(memory, basename(own.folder));
  await visited(['--env', 'one'], { SEXTANT_STATE: state }, async (said, ask) => {
    const why = `one: only read requests are sent, because the undo journal would not last: ${state} is in memory (tmpfs).`;
    assert.ok(said.includes(why), said);
    const refused = await ask('/probe?target=one&module=love-then-unlove');
    assert.equal(refused.status, 403);
    assert.ok(refused.text.includes(why), refused.text);
    assert.match((await ask('/probe?target=one&module=features')).text, /^probe_success 1$/m);
    assert.ok(!(await ask('/targets')).text.includes('"reversible"'));
  }).finally(() => rmSync(state, { recursive: true, force: true }));
});
