import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { projectRoot } from '../../environment/project-root.ts';
import { plainEnvironment, processesWith, runToEnd, startChild } from '../../testing/programs/child.ts';
import { ownFolder } from '../../testing/servers/own-service.ts';

const folder = ownFolder();

/** A Node that is too old for Sextant, if this machine has one. */
const oldNode = ['/usr/bin/node', '/usr/local/bin/node'].find(
  (path) => existsSync(path) && /^v(2[0-3]|24\.(\d|1[0-4])\.)/.test(runToEnd(path, ['--version']).stdout),
);
const skip = oldNode ? false : 'needs an older Node beside that of the tests: /usr/bin/node with 20';

const launcher = join(projectRoot, 'src', 'cli', 'launcher');

test('once all is in the compile cache, Node does not even load what takes the types away', () => {
  const list =
    'process.on("exit", () => console.error(process.moduleLoadList.filter((name) => name.includes("amaro")).length))';
  const strippers = () => {
    const preload = `--import=data:text/javascript,${encodeURIComponent(list)}`;
    const env = { ...plainEnvironment(), NODE_COMPILE_CACHE: join(folder, 'cache') };
    return Number(runToEnd(process.execPath, [preload, join(launcher, 'sextant.js'), '--help'], { env }).stderr);
  };
  assert.deepEqual([strippers() > 0, strippers()], [true, 0]);
});

test('an older Node hands over to the one that it fetched, with arguments and exit code', { skip }, () => {
  const run = (...args: string[]) => runToEnd(oldNode as string, [join(launcher, 'sextant.js'), ...args]);
  assert.match(run('--version').stdout, /^sextant \d/);
  const { status, stderr } = run('environments', 'check', 'no-such-environment');
  assert.equal(status, 2);
  assert.match(stderr, /no-such-environment/);
});

test('another user with a read-only home runs it through npx', {
  skip: process.getuid?.() === 0 ? false : 'needs root, to become another user',
}, () => {
  const env = { PATH: process.env['PATH'], HOME: '/nonexistent' };
  const { status, stdout, stderr } = runToEnd('npx', ['sextant', '--version'], { uid: 65534, gid: 65534, env });
  assert.equal(status, 0, stderr);
  assert.match(stdout, /^sextant \d/);
});

test('a run that does not end with its starter is ended, with its workers', async () => {
  const watch = new URL('end-with-starter.js?graceMs=300', import.meta.url).href;
  // The run ignores the first signal. A program with its own listener for signals does the same.
  const deaf = "process.on('SIGINT', () => {}); setInterval(() => {}, 1000);";
  const worker = `require('node:child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);`;
  const run = JSON.stringify([process.execPath, ['--import', watch, '-e', deaf + worker]]);
  const starter = `const [file, args] = ${run};
    require('node:child_process').spawn(file, args, { stdio: ['ignore', 'ignore', 'ignore', 'ipc'], detached: true });
    setInterval(() => {}, 1000);`;
  const variable = 'SEXTANT_TEST_RUN=deaf';
  const child = startChild(process.execPath, ['-e', starter], {
    env: { ...plainEnvironment(), SEXTANT_TEST_RUN: 'deaf' },
    stdio: 'ignore',
  });
  while (processesWith(variable).length < 3) await wait(20);
  child.kill('SIGKILL');
  while (processesWith(variable).length > 0) await wait(50);
});
