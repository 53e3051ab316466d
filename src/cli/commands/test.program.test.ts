import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { leftAfter, processesWith } from '../../testing/programs/child.ts';
import { isFree, localElsewhere, ran, startCommand, until } from '../../testing/programs/run-command.ts';
import { runInProcess } from '../../testing/programs/run-in-process.ts';
import { ownEnvironments, ownService } from '../../testing/servers/own-service.ts';
import { environmentText } from '../../testing/test-environment.ts';

const local = await localElsewhere();
const { base, env } = local;

/** A proxy that doesn't exist, in every variable that can name a proxy. A run that used it would fail. */
const proxies: Record<string, string> = { NODE_USE_ENV_PROXY: '1' };
for (const name of ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY'])
  Object.assign(proxies, { [name]: 'http://127.0.0.1:1', [name.toLowerCase()]: 'http://127.0.0.1:1' });

test('a pattern that no test matches ends in one clear error', async () => {
  const none = await ran(['test', '--scenario', 'love'], env, 2);
  assert.match(none, /No test in local matches --scenario 'love'\./);
  const said = await ran(['test', '--grep', 'no such test'], env, 2);
  assert.match(said, /No test in local matches --grep 'no such test'\./);
  assert.doesNotMatch(said, /^\s+at /m);
});

test('an option that Playwright does not know is a mistake of the command line', async () => {
  assert.match(await ran(['test', '--', '--no-such-option'], env, 2), /unknown option '--no-such-option'/);
});

test('two environments with the same users are refused where they change something: they would wait for each other', async () => {
  const { addresses } = await ownService();
  const text = (effects: string) => environmentText(addresses, { ALLOWED_EFFECTS: effects });
  const own = ownEnvironments({ a: text('read'), b: text('read'), c: text('read,reversible') });
  const said = await ran(['test', '--env', 'a', '--env', 'c'], own.env, 2);
  assert.match(said, /a, c: these environments act as the same users/);
  assert.match(await ran(['test', '--env', 'a', '--env', 'b', '--grep', 'with default'], own.env), /2 passed/);
});

test('a history whose last line was cut costs neither the report nor the exit code', async () => {
  const { addresses } = await ownService();
  const own = ownEnvironments({ a: environmentText(addresses) });
  mkdirSync(own.env.SEXTANT_OUTPUT, { recursive: true });
  const history = join(own.env.SEXTANT_OUTPUT, 'history.jsonl');
  writeFileSync(history, '{"uuid":"1","name":"Allure Report","timesta');
  const said = await ran(['test', '--env', 'a', '--grep', 'with default'], own.env);
  assert.match(said, /^Ignored 1 incomplete line of .*history\.jsonl, so the trends lack as many runs\.$/m);
  assert.equal(readFileSync(history, 'utf8').match(/^\{.*\}\n/gm)?.length, 1);
});

test('one area runs where a port is taken: its service listens on others, and no proxy that the machine names is used', async () => {
  const other = createServer().listen(base + 2, '127.0.0.1');
  await once(other, 'listening');
  const portIn = (said: string) => {
    const [, port] = /[Pp]orts .*in use, so (?:its|the embedded) service listens on (\d+)/.exec(said) ?? [];
    assert.ok(port, said);
    return Number(port);
  };
  const some = ['--env', 'local', '--scenario', 'Delete * id'];
  try {
    const said = await ran(['test', '--area', 'storage', ...some], { ...env, ...proxies });
    assert.match(said, /Storage +0 +0 +1 +0 +0\n/);
    assert.match(said, /Report .*index\.html\n$/);
    assert.ok(await isFree(portIn(said)));
    const page = readFileSync(join(local.folder, 'output', 'report', 'index.html'), 'utf8');
    assert.doesNotMatch(page, /googletagmanager/);
    const { common, environments } = JSON.parse(readFileSync(join(local.folder, 'output', 'run.json'), 'utf8'));
    assert.match(common['User agent'], /^sextant\//);
    assert.equal(environments.local.Storage, `http://127.0.0.1:${portIn(said) + 5}/`);
    const checked = await ran(['check', ...some], { ...env, ...proxies });
    assert.match(checked, /1 passed/);
    assert.ok(await isFree(portIn(checked)));
    Object.assign(process.env, env);
    const { code, err } = await runInProcess(['serve', '--env', 'local']);
    assert.equal(code, 2);
    assert.match(err, new RegExp(`^Port ${base + 2} on .* in use\\. .*sextant serve --port \\d+.*\\n$`));
  } finally {
    other.close();
  }
});

const moments = { 'before it has begun': '', 'when it has begun': 'Running ', 'in its midst': '·' };
for (const [moment, says] of Object.entries(moments)) {
  // If the command that started a run is killed, the run notices this, and ends as after Ctrl-C. But a worker that isn't ready yet doesn't
  // get Playwright's stop signal. A run with such a worker kills itself after 20 s, the time limit for clean-up.
  test(`a run whose command is killed ${moment} ends, and so does its service`, async () => {
    const variable = `SEXTANT_TEST_RUN=${moment}`;
    const running = startCommand(['test', '--area', 'friends'], { ...env, SEXTANT_TEST_RUN: moment });
    await until(() => running.said().includes(says) && processesWith(variable).length > 1, running);
    running.child.kill('SIGKILL');
    assert.deepEqual(await leftAfter(25, variable), []);
    assert.ok(await isFree(base));
  });
}
