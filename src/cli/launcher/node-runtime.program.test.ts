import assert from 'node:assert/strict';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { projectRoot } from '../../environment/project-root.ts';
import { plainEnvironment, processesWith, runToEnd } from '../../testing/programs/child.ts';
import { startProgram, until } from '../../testing/programs/run-command.ts';
import { listening } from '../../testing/servers/listening.ts';
import { ownFolder } from '../../testing/servers/own-service.ts';

const isRoot = process.getuid?.() === 0;
/** The id of another user. Root can switch to it. */
const NOBODY = 65534;
const platform = `${process.platform}-${process.arch}`;
const locked = join(projectRoot, 'src', 'cli', 'launcher', 'runtime', platform);
const skip = existsSync(locked) ? false : `no Node is locked for ${platform}`;
const manifest = skip ? { dependencies: {} } : JSON.parse(readFileSync(join(locked, 'package.json'), 'utf8'));
const [[name, version] = ['', '']] = Object.entries<string>(manifest.dependencies);

/** A fake npm. It installs a fake Node, unless `FAKE` selects another behaviour, and writes its arguments and variables to files. */
const NPM = `#!/bin/sh
echo "$*" > "$HOME_OF_TEST/arguments"
env > "$HOME_OF_TEST/variables"
echo started >> "$HOME_OF_TEST/starts"
case "$FAKE" in
  nothing) exit 0 ;;
  hangs) exec sleep 600 ;;
  attacks)
    case "$PWD" in
      */tmp/sextant-$(id -u)/*) ;;
      *) plain=1; mkdir -p "$TMPDIR/sextant-$(id -u)"; chmod 777 "$TMPDIR/sextant-$(id -u)" ;;
    esac ;;
  opens) chmod 777 .. ;;
  meets) while [ "$(wc -l < "$HOME_OF_TEST/starts")" -lt 2 ]; do sleep 0.05; done ;;
esac
mkdir -p node_modules/${name}/bin node_modules/${name}/include
cp "$HOME_OF_TEST/node" node_modules/${name}/bin/node
[ -z "$plain" ] || chmod 644 node_modules/${name}/bin/node
`;
const NODE = `#!/bin/sh
[ "$1" = --version ] && echo asked >> "$HOME_OF_TEST/asked" && echo v${version} && exit
echo "ran $*"
exit 7
`;

interface World {
  readonly folder: string;
  readonly project: string;
  /** The folder into which the project installs a newer Node. */
  readonly place: string;
  readonly env: NodeJS.ProcessEnv;
}

/** Creates a copy of the launcher in a project without packages, a home, a folder for temporary files, and a fake npm. */
function world(env: Readonly<Record<string, string>> = {}): World {
  const folder = ownFolder();
  const project = join(folder, 'project');
  cpSync(join(projectRoot, 'src', 'cli', 'launcher'), join(project, 'src', 'cli', 'launcher'), { recursive: true });
  for (const each of ['bin', 'home', 'tmp']) mkdirSync(join(folder, each));
  for (const [file, text] of [
    ['bin/npm', NPM],
    ['node', NODE],
  ] as const)
    writeFileSync(join(folder, file), text, { mode: 0o755 });
  const { npm_execpath: _npm, SEXTANT_LAUNCHED: _launched, XDG_CACHE_HOME: _cache, ...rest } = plainEnvironment();
  return {
    folder,
    project,
    place: join(project, 'node_modules', '.cache', 'sextant'),
    env: {
      ...rest,
      HOME_OF_TEST: folder,
      HOME: join(folder, 'home'),
      TMPDIR: join(folder, 'tmp'),
      PATH: `${join(folder, 'bin')}:${process.env.PATH}`,
      ...env,
    },
  };
}

/** Arguments that make this Node look like an older one without its own npm. `more` is JavaScript that runs first. */
function older({ folder, project }: World, node = '20.20.2', more = ''): string[] {
  const is = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${node}' } });
    process.execPath = ${JSON.stringify(join(folder, 'bin', 'node'))}; ${more}`;
  const preload = `data:text/javascript,${encodeURIComponent(is)}`;
  return ['--import', preload, join(project, 'src', 'cli', 'launcher', 'sextant.js'), 'check', '--env', 'x'];
}

const start = (at: World, ...how: [node?: string, more?: string]) =>
  runToEnd(process.execPath, older(at, ...how), { cwd: at.project, env: at.env });
const begin = (at: World) => startProgram(process.execPath, older(at), { cwd: at.project, env: at.env });
const noted = ({ folder }: World, file: string) =>
  existsSync(join(folder, file)) ? readFileSync(join(folder, file), 'utf8') : '';

const complete = `node-${version}-${platform}`;
const INSTALLING = `Node 20.20 is older than 24.15: installing Node ${version} for Sextant, once\n`;

test('it is installed once, at the first start; arguments and exit code pass through', { skip }, () => {
  const at = world();
  const first = start(at);
  assert.deepEqual([first.status, first.stderr], [7, INSTALLING]);
  assert.match(first.stdout, /^ran .*--import file:\S+end-with-starter\.js \S+sextant\.js check --env x\n$/);
  const second = start(at);
  assert.deepEqual([second.status, second.stderr, second.stdout], [7, '', first.stdout]);
  assert.equal(noted(at, 'starts'), 'started\n');
  assert.deepEqual(readdirSync(at.place), [complete]);
  assert.equal(existsSync(join(at.place, complete, 'node_modules', name, 'include')), false);
  assert.match(noted(at, 'arguments'), /^ci .*--no-bin-links --ignore-scripts\b.* --no-dry-run --no-global\b/);
});

test('npx and the project fetch it once', { skip }, () => {
  const at = world();
  const fetched = { ...at, project: join(at.env.HOME as string, '.npm', '_npx', '0a1b', 'node_modules', 'sextant') };
  cpSync(at.project, fetched.project, { recursive: true });
  assert.equal(start(fetched).stderr, INSTALLING);
  assert.deepEqual([start(at).status, noted(at, 'starts')], [7, 'started\n']);
});

test('npm gets its settings of registry, proxy, authority and user alone', { skip }, () => {
  const kept = ['cafile', 'https_proxy', 'noproxy', 'registry', 'strict_ssl', 'userconfig'];
  const others = ['dry_run', 'global', 'workspace', 'omit', 'prefix', 'package_lock', 'offline'];
  const variables = Object.fromEntries([...kept, ...others].map((each) => [`npm_config_${each}`, `of-${each}`]));
  const at = world({ ...variables, npm_lifecycle_event: 'start', NPM_CONFIG_DRY_RUN: 'true' });
  writeFileSync(join(at.project, '.npmrc'), 'registry=http://127.0.0.1:1/\ndry-run=true\n');
  assert.equal(start(at).status, 7);
  const reached = noted(at, 'variables').match(/^npm_config_[^=]+(?==of-)/gim) ?? [];
  assert.deepEqual(reached.map((each) => each.slice('npm_config_'.length)).sort(), kept);
  assert.doesNotMatch(noted(at, 'variables'), /^npm_(lifecycle|config_dry)/im);
});

test('an npm that ends well without having installed anything is an error', { skip }, () => {
  const at = world({ FAKE: 'nothing' });
  const { status, stdout, stderr } = start(at);
  assert.deepEqual([status, stdout, readdirSync(at.place)], [2, '', []]);
  assert.match(
    stderr,
    new RegExp(`^${INSTALLING}Node ${version} could not be installed \\(.*install Node 24\\.15 or newer.*\n$`),
  );
});

/** The npm of this machine, for tests that need a real one. */
const npm = runToEnd('sh', ['-c', 'command -v npm']).stdout.trim();
const withNpm = (at: World) => ({ ...at, env: { ...at.env, PATH: process.env.PATH } });
const needsNpm = skip || (npm ? false : 'needs npm');

test('without a registry it ends within seconds, in one line that names the cure', { skip: needsNpm }, () => {
  const at = withNpm(world({ npm_config_registry: 'http://127.0.0.1:1' }));
  const { status, stdout, stderr } = start(at);
  assert.deepEqual([status, stdout, readdirSync(at.place)], [2, '', []]);
  const [, failed = '', ...others] = stderr.trim().split('\n');
  assert.match(
    failed,
    /^Node 26\S* could not be installed \(ECONNREFUSED: .*\)\. Let this machine reach the npm registry, or/,
  );
  assert.deepEqual(others, []);
});

test('a package with another checksum is not installed', { skip: needsNpm }, async (t) => {
  const server = createServer((request, response) => {
    const base = `http://${request.headers.host}`;
    const of = { name, version, dist: { tarball: `${base}/it.tgz` } };
    if (request.url === '/it.tgz') response.end('something else');
    else response.end(JSON.stringify({ name, 'dist-tags': { latest: version }, versions: { [version]: of } }));
  });
  const { url, stop } = await listening(server);
  t.after(stop);
  const at = withNpm(world({ npm_config_registry: url }));
  const running = begin(at);
  assert.equal(await running.ended, 2);
  assert.match(running.said(), /could not be installed \(EINTEGRITY: /);
  assert.deepEqual(readdirSync(at.place), []);
});

test('of two first starts at once, both run, and one folder is left', { skip }, async () => {
  const at = world({ FAKE: 'meets' });
  const both = [begin(at), begin(at)];
  assert.deepEqual(await Promise.all(both.map(({ ended }) => ended)), [7, 7], both.map(({ said }) => said()).join());
  assert.deepEqual(readdirSync(at.place), [complete]);
});

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  test(`${signal} ends the installation, and nothing of it is left`, { skip }, async () => {
    const at = world({ FAKE: 'hangs', SEXTANT_TEST_ROW: `install-${signal}-${process.pid}` });
    const running = begin(at);
    await until(() => noted(at, 'starts') !== '', running);
    running.child.kill(signal);
    const [code] = await once(running.child, 'exit');
    assert.ok(code > 128, running.said());
    assert.deepEqual(readdirSync(at.place), []);
    while (processesWith(`SEXTANT_TEST_ROW=install-${signal}-${process.pid}`).length > 0) await wait(50);
  });

test('the end of npm, whatever ended it, ends the installation too', { skip }, async () => {
  const mark = `npm-${process.pid}`;
  const at = world({ FAKE: 'hangs', SEXTANT_TEST_ROW: mark, npm_execpath: '/npm' });
  const run = JSON.stringify([process.execPath, older(at)]);
  const starter = `const [file, args] = ${run}; require('node:child_process').spawn(file, args, { stdio: 'ignore' });
    setInterval(() => {}, 1000);`;
  const running = startProgram(process.execPath, ['-e', starter], { cwd: at.project, env: at.env });
  await until(() => noted(at, 'starts') !== '', running);
  running.child.kill('SIGKILL');
  while (processesWith(`SEXTANT_TEST_ROW=${mark}`).length > 0) await wait(50);
  assert.deepEqual(readdirSync(at.place), []);
});

test('the next start removes what killed ones left, and nothing of those that run', { skip }, () => {
  const at = world();
  const ended = runToEnd('true', []).pid;
  const left = [ended, process.pid].map((pid) => `${complete}.part-${hostname()}-${pid}-0123abcd`);
  for (const each of left) mkdirSync(join(at.place, each), { recursive: true });
  assert.equal(start(at).status, 7);
  assert.deepEqual(readdirSync(at.place).sort(), [complete, left[1]]);
});

/** Starts the launcher as a user who has no home, and may not write into the project. */
const asNobody = (at: World) => {
  chmodSync(at.folder, 0o755);
  chmodSync(at.env.TMPDIR as string, 0o1777);
  for (const file of ['arguments', 'variables', 'starts', 'asked']) writeFileSync(join(at.folder, file), '');
  for (const file of ['arguments', 'variables', 'starts', 'asked']) chmodSync(join(at.folder, file), 0o666);
  const options = { cwd: at.project, env: { ...at.env, HOME: '/nonexistent' }, uid: NOBODY, gid: NOBODY };
  return runToEnd(process.execPath, older(at), options);
};
const needsRoot = skip || (isRoot ? false : 'needs root, to become another user');

test('a user who may write neither project nor home has it among the temporary files', { skip: needsRoot }, () => {
  const at = world();
  const { status, stderr } = asNobody(at);
  assert.equal(status, 7, stderr);
  const own = join(at.env.TMPDIR as string, `sextant-${NOBODY}`);
  assert.deepEqual(readdirSync(own), [complete]);
  const { uid, mode } = lstatSync(own);
  assert.deepEqual([uid, mode & 0o777], [NOBODY, 0o700]);
});

for (const [what, make] of [
  ['of another user', (path: string) => mkdirSync(path, { mode: 0o777 })],
  ['a link', (path: string) => symlinkSync('/tmp', path)],
] as const)
  test(`a folder among the temporary files that is ${what} is refused`, { skip: needsRoot }, () => {
    const at = world();
    make(join(at.env.TMPDIR as string, `sextant-${NOBODY}`));
    const { status, stdout, stderr } = asNobody(at);
    assert.deepEqual([status, stdout], [2, '']);
    assert.match(stderr, /tmp\/sextant-65534: it is no folder of your own with mode 700/);
    assert.equal(noted(at, 'starts'), '');
  });

test('a folder that somebody else made or opened while Node was being installed is refused', { skip }, () => {
  const isRefused = ({ status, stdout, stderr }: ReturnType<typeof start>, place: RegExp) => {
    assert.deepEqual([status, stdout], [2, ''], stderr);
    assert.match(stderr, place);
  };
  isRefused(start(world({ FAKE: 'attacks' })), /tmp\/sextant-\d+: it is no folder of your own with mode 700/);
  const at = world({ FAKE: 'opens' });
  // A file in place of `node_modules` makes the project's folder unusable. The launcher then tries the folder in the user's cache, and
  // refuses it because of its permissions.
  writeFileSync(join(at.project, 'node_modules'), '');
  isRefused(start(at), /\.cache\/sextant: it is no folder of your own with mode 700/);
});

for (const [what, damage] of [
  ['empty', ''],
  ['zeroed', '\0'.repeat(NODE.length)],
] as const)
  test(`a Node that a power cut left ${what} is installed again`, { skip }, () => {
    const at = world();
    assert.equal(start(at).status, 7);
    const node = join(at.place, complete, 'node_modules', name, 'bin', 'node');
    writeFileSync(node, damage);
    const { status, stderr } = start(at);
    assert.deepEqual([status, noted(at, 'starts')], [7, 'started\nstarted\n'], stderr);
    assert.match(stderr, /node-\S+ is damaged, and is put aside\.\nNode 20\.20 is older than 24\.15: installing Node /);
    assert.deepEqual(readdirSync(at.place), [complete]);
  });

test('a Node prints its version once, and again when it was replaced', { skip }, () => {
  const at = world();
  const asked = () => [start(at).status, noted(at, 'asked').match(/asked/g)?.length];
  assert.deepEqual(
    [asked(), asked()],
    [
      [7, 1],
      [7, 1],
    ],
  );
  utimesSync(join(at.place, complete, 'node_modules', name, 'bin', 'node'), 1, 1);
  assert.deepEqual(
    [asked(), asked()],
    [
      [7, 2],
      [7, 2],
    ],
  );
});

test('root leaves nothing in the checkout of another user', { skip: needsRoot }, () => {
  const at = world();
  for (const each of ['', ...readdirSync(at.project, { recursive: true, encoding: 'utf8' })])
    chownSync(join(at.project, each), NOBODY, NOBODY);
  assert.equal(start(at).status, 7);
  assert.equal(existsSync(join(at.project, 'node_modules')), false);
  assert.deepEqual(readdirSync(join(at.env.HOME as string, '.cache', 'sextant')), [complete]);
});

for (const [what, how, says] of [
  ['an even older Node', ['18.20.4'], /^Sextant can't start on Node 18\.20\.4: install Node 24\.15 or newer\.\n$/],
  [
    'musl',
    ['20.20.2', 'process.report.getReport = () => ({ header: {} });'],
    /^.*20\.20\.2.*musl: install Node 24\.15 or newer\.\n$/,
  ],
  [
    'a platform without a package',
    ['20.20.2', `Object.defineProperty(process, 'arch', { value: 'mips' });`],
    /^.*20\.20\.2.*-mips: install Node 24\.15 or newer\.\n$/,
  ],
] as const)
  test(`${what} is told in one sentence, before anything is fetched`, { skip }, () => {
    const at = world();
    const { status, stdout, stderr } = start(at, ...how);
    assert.deepEqual([status, stdout, noted(at, 'starts')], [2, '', '']);
    assert.match(stderr, says);
  });

test('the floor is the same wherever it is named', { skip }, () => {
  const read = (file: string) => JSON.parse(readFileSync(join(projectRoot, file), 'utf8'));
  const { engines, devDependencies } = read('package.json');
  assert.equal(engines.node, '>=24.15');
  // The type declarations must be those of the oldest supported Node. Then the compiler reports functions that this Node lacks.
  assert.match(devDependencies['@types/node'], /^24\.(\d|1[0-5])\./);
  assert.deepEqual(read('tsconfig.json').compilerOptions.lib, ['es2025', 'esnext.array', 'esnext.disposable']);
  for (const [node, isOlder] of [
    ['24.14.9', true],
    ['23.99.0', true],
  ] as const) {
    const at = world();
    assert.equal(start(at, node).stderr.includes('is older than 24.15'), isOlder);
    const is = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${node}' } });`;
    const preload = ['--import', `data:text/javascript,${encodeURIComponent(is)}`];
    const config = runToEnd(process.execPath, [...preload, join(projectRoot, 'playwright.config.ts')]);
    assert.deepEqual([config.status, /Node 24\.15 or newer/.test(config.stderr)], [2, isOlder], config.output);
  }
});

/** A Node that is too old, if this machine has one. */
const oldNode = ['/usr/bin/node', '/usr/local/bin/node'].find(
  (path) => existsSync(path) && /^v(2[0-3]|24\.(\d|1[0-4])\.)/.test(runToEnd(path, ['--version']).stdout),
);

test('an older Node installs it from the registry, and runs TypeScript on it', {
  skip: skip || (oldNode ? false : 'needs an older Node, at /usr/bin/node'),
}, (t) => {
  const at = world();
  const file = join(at.folder, 'it.ts');
  writeFileSync(file, 'const text: string = process.version; console.log(text, process.argv.slice(2).join());\n');
  const runtime = join(at.project, 'src', 'cli', 'launcher', 'node-runtime.js');
  const { PATH } = process.env;
  const { status, stdout, stderr } = runToEnd(oldNode as string, [runtime, file, 'a', 'b'], {
    cwd: at.project,
    env: { ...at.env, PATH, npm_config_cache: process.env.npm_config_cache ?? join(process.env.HOME ?? '', '.npm') },
  });
  if (/ENOTFOUND|ECONNREFUSED|ETIMEDOUT|EAI_AGAIN|ENETUNREACH/.test(stderr))
    return t.skip('the registry can’t be reached');
  assert.deepEqual([status, stdout], [0, `v${version} a,b\n`], stderr);
  assert.equal(dirname(join(at.place, complete)), at.place);
});
