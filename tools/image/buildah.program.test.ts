import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { ownFolder } from '../../src/testing/own-folder.ts';
import { freePortsInARow, until } from '../../src/testing/programs/run-command.ts';
import { missing } from '../deploy/programs.ts';
import { assertLean, runs } from './build-in-folder.ts';
import { type BuiltImage, buildImage, digestOfAnother, firstProcess } from './buildah.ts';
import { NoDebian } from './local-base.ts';

const folder = ownFolder();
let image: BuiltImage | undefined;
let noDebian: string | undefined;

/** The image; where its base can't be had, the test is skipped, and there is none. */
function builtOr(t: TestContext): BuiltImage | undefined {
  if (noDebian) t.skip(noDebian);
  else assert.ok(image, 'it was not built');
  return image;
}

const mayMount = () => spawnSync('unshare', ['--mount', '--pid', '--fork', 'true']).status === 0;
const skip = whyNot();

function whyNot(): string | false {
  if (!process.env.SEXTANT_TEST_IMAGE) return 'takes minutes and asks registries: set SEXTANT_TEST_IMAGE=1';
  if (process.getuid?.() !== 0 || !mayMount())
    return 'needs root and the right to mount, to build an image and to run it';
  return missing('buildah', 'debootstrap');
}

test('buildah builds deploy/Dockerfile', { skip }, (t) => {
  try {
    image = buildImage(folder);
  } catch (error) {
    if (!(error instanceof NoDebian)) throw error;
    noDebian = error.message;
    return t.skip(noDebian);
  }
  const { User, Volumes, Labels, Healthcheck } = image.config;
  assert.equal(User, '10001:10001');
  assert.deepEqual(Object.keys(Volumes), ['/data']);
  assert.equal(Labels['org.opencontainers.image.title'], 'sextant');
  assert.deepEqual(Healthcheck.Test, ['CMD', '/usr/local/bin/node', '/app/deploy/healthcheck.ts']);
  for (const path of ['bin/sh', 'usr/bin/sh', 'usr/bin/env', 'usr/local/bin/npm', 'usr/bin/apt-get'])
    assert.equal(existsSync(join(image.root, path)), false, path);
  assertLean(join(image.root, 'app'));
});

test('built twice, it has the same digest', { skip }, (t) => {
  if (builtOr(t)) assert.equal(digestOfAnother(folder), digestOfAnother(folder));
});

test('check and test run in it, as uid 10001 and with a root that can’t be written', { skip }, async (t) => {
  const built = builtOr(t);
  if (!built) return;
  for (const args of runs) {
    const container = built.start(args);
    assert.equal(await container.ended, 0, container.said());
  }
  assert.ok(existsSync(join(built.volume, 'results', 'report', 'index.html')));
});

for (const [command, ready, ends, variable] of [
  ['monitor', /Status page/, /The history is complete\.\n$/, 'MONITOR_PORT'],
  ['prober', /Prober: http/, /Stopped\.\n$/, 'PROBER_LISTEN'],
] as const)
  test(`${command} runs in it, is well by the health check, and ends with the signal of the container`, {
    skip,
  }, async (t) => {
    const built = builtOr(t);
    if (!built) return;
    const port = await freePortsInARow();
    const address = variable === 'PROBER_LISTEN' ? `127.0.0.1:${port}` : String(port);
    const container = built.start([command], { [variable]: address, MONITOR_LISTEN: '127.0.0.1' });
    await until(() => ready.test(container.said()), container);
    assert.equal(built.isWell(container), true);
    const nothing = variable === 'PROBER_LISTEN' ? '127.0.0.1:1' : '1';
    assert.equal(built.isWell(container, { [variable]: nothing }), false, 'nothing answers at port 1');
    const first = firstProcess(container.child);
    const [status = '', mounts = ''] = ['status', 'mounts'].map((file) =>
      execFileSync('cat', [`/proc/${first}/${file}`], { encoding: 'utf8' }),
    );
    assert.match(status, /^Uid:\t10001\t10001\t10001\t10001$/m);
    assert.match(mounts, / \/ \S+ ro,/);
    process.kill(Number(first), 'SIGTERM');
    await container.ended;
    assert.match(container.said(), ends);
  });
