import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { parse } from 'yaml';
import { projectRoot } from '../../src/environment/project-root.ts';
import { ownFolder, writeFiles } from '../../src/testing/own-folder.ts';
import { plainEnvironment, runToEnd } from '../../src/testing/programs/child.ts';
import { type Machine, playGitlabJob, playSteps } from '../../src/testing/programs/pipeline-steps.ts';
import { freePortsInARow, startCommand, until } from '../../src/testing/programs/run-command.ts';
import { strangers } from '../../src/testing/survey/strangers/index.ts';
import { serve } from '../../src/testing/survey/strangers/serve.ts';
import type { Stranger } from '../../src/testing/survey/strangers/stranger.ts';
import { environmentText } from '../../src/testing/test-environment.ts';

const folder = ownFolder();
const project = join(folder, 'project');
const bin = join(project, 'node_modules', 'sextant', 'dist', 'src', 'cli', 'launcher', 'sextant.js');

/**
 * The Node that runs this test, and the system's older one, with which Sextant fetches a newer Node. Other versions are tried by hand
 * (docs/install.md).
 */
const nodes = [process.execPath, '/usr/bin/node'].filter((path) => existsSync(path));

// As users do, the test runs the package that npm packs. While npm packs a project, it changes package.json, so it packs a copy of the
// project.
const copy = join(folder, 'copy');
const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
  cwd: projectRoot,
});
for (const file of String(listed)
  .split('\0')
  .filter((each) => each && existsSync(join(projectRoot, each))))
  cpSync(join(projectRoot, file), join(copy, file));
symlinkSync(join(projectRoot, 'node_modules'), join(copy, 'node_modules'), 'junction');
const before = readFileSync(join(copy, 'package.json'), 'utf8');
const packed = execFileSync('npm', ['pack', '--json', '--pack-destination', folder], {
  cwd: copy,
  encoding: 'utf8',
  stdio: ['ignore', 'pipe', 'ignore'],
});
const [about] = JSON.parse(packed.slice(packed.indexOf('[\n'))) as [
  { filename: string; size: number; unpackedSize: number; files: { path: string }[] },
];
const tarball = join(folder, about.filename);
install();

/**
 * Installs the package without a registry, by links to the packages of the project. If SEXTANT_TEST_PACKAGE is set, npm installs the
 * package instead.
 */
function install(): void {
  const modules = join(project, 'node_modules');
  mkdirSync(join(modules, 'sextant'), { recursive: true });
  if (process.env.SEXTANT_TEST_PACKAGE) {
    rmSync(modules, { recursive: true });
    const named = `sextant@file:${tarball}`;
    execFileSync('npm', ['install', '--no-audit', '--no-fund', '--no-save', named], { cwd: project, stdio: 'pipe' });
    return;
  }
  // The newer Node for an older one, if the checkout has it. Otherwise, the launcher installs it, as in the tests next to the launcher.
  const kept = join('.cache', 'sextant');
  mkdirSync(join(modules, kept), { recursive: true });
  for (const name of globSync('node-*', { cwd: join(projectRoot, 'node_modules', kept) }))
    symlinkSync(join(projectRoot, 'node_modules', kept, name), join(modules, kept, name), 'junction');
  // The file in which npm lists the installed packages.
  const packages = { 'node_modules/sextant': { resolved: `file:../${about.filename}` } };
  writeFileSync(join(modules, '.package-lock.json'), JSON.stringify({ packages }));
  execFileSync('tar', ['xzf', tarball, '--strip-components=1', '-C', join(modules, 'sextant')]);
  for (const name of readdirSync(join(projectRoot, 'node_modules')))
    if (!/^(\.|sextant)/.test(name))
      symlinkSync(join(projectRoot, 'node_modules', name), join(modules, name), 'junction');
}

function sextant(args: readonly string[], node = process.execPath) {
  // Without SEXTANT_OUTPUT, the program writes its files into the project, as it does for users.
  const { SEXTANT_OUTPUT: _, ...env } = plainEnvironment();
  const { status, output: said } = runToEnd(node, [bin, ...args], { cwd: project, env });
  return { status, said };
}

test('it holds the program and its pages, without tests of it, and weighs what its page says', () => {
  const paths = about.files.map(({ path }) => path);
  assert.deepEqual(
    paths.filter((path) => /\.test\.|src\/testing|^(dist\/)?tools|secret\.env|(?<!\.d)\.ts$/.test(path)),
    [],
  );
  const schemas = ['docs', 'dist/docs'].map((folder) => `${folder}/schemas/check.schema.json`);
  for (const path of ['README.md', 'LICENSE', 'docs/install.md', 'dist/fixtures/index.d.ts', ...schemas])
    assert.ok(paths.includes(path), path);
  for (const path of globSync('src/cli/launcher/runtime/*/*', { cwd: projectRoot }))
    assert.equal(runToEnd('cmp', [path, join(project, 'node_modules', 'sextant', 'dist', path)]).output, '');
  assert.ok(about.size < 1_200_000 && about.unpackedSize < 6_000_000, `${about.size}, ${about.unpackedSize}`);
  assert.equal(runToEnd('grep', ['-rl', projectRoot, join(project, 'node_modules', 'sextant')]).stdout.length, 0);
});

test('a checkout has no program of its own in package.json: npx would run that, and link it into its cache', () => {
  assert.equal(JSON.parse(before).bin, undefined);
  assert.equal(readFileSync(join(copy, 'package.json'), 'utf8'), before);
});

test('init writes a project, once', () => {
  const { status, said } = sextant(['init']);
  assert.equal(status, 0, said);
  const { devDependencies } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'));
  assert.deepEqual(devDependencies, { sextant: `file:vendor/${about.filename}` });
  assert.match(sextant(['init']).said, /^tsconfig\.json exists already\. /m);
  assert.match(sextant(['check', '--env', 'staging']).said, /environments new staging/);
});

for (const node of nodes)
  test(`its first scenario passes on ${execFileSync(node, ['--version'], { encoding: 'utf8' }).trim()}`, () => {
    const check = sextant(['check', '--env', 'local', '--grep', 'first: '], node);
    assert.equal(check.status, 0, check.said);
    assert.match(check.said, /passed .* first: a change is seen, and undone/);
  });

test('a survey of the environment that it brings keeps its facts in the project', () => {
  const shipped = join(project, 'node_modules', 'sextant', 'dist', 'environments', 'local.facts.json');
  const before = readFileSync(shipped, 'utf8');
  const { status, said } = sextant(['survey', '--env', 'local', '--only', 'evaluate unknown-field']);
  assert.equal(status, 0, said);
  assert.match(said, /^wrote .*project\/environments\/local\.facts\.json$/m);
  assert.equal(readFileSync(shipped, 'utf8'), before);
  const questionsIn = (text: string) =>
    (JSON.parse(text).facts as readonly { readonly question: string }[]).map(({ question }) => question);
  const written = questionsIn(readFileSync(join(project, 'environments', 'local.facts.json'), 'utf8'));
  assert.deepEqual(written.toSorted(), [...questionsIn(before), 'unknown-field'].sort());
  assert.match(
    sextant(['survey', '--env', 'local', '--only', 'evaluate unknown-field']).said,
    /No known answer has changed/,
  );
});

test('and under Playwright, which advises no file that the project doesn’t have', () => {
  const { status, said } = sextant(['test', '--grep', 'first: |@gameDesign', '--', '--workers=1'], nodes.at(-1));
  assert.equal(status, 0, said);
  assert.match(said, /passed .*s\)/);
  assert.doesNotMatch(said, /environments\/local\.env/);
  assert.ok(existsSync(join(project, 'results', 'report', 'index.html')));
});

test('a spec that does not load ends `sextant test` as not judged', () => {
  const file = join(project, 'tests', 'scenarios', 'broken.spec.ts');
  writeFileSync(file, "throw new Error('at the top');\n");
  const { status, said } = sextant(['test', '--env', 'local', '--', 'broken']);
  rmSync(file);
  assert.equal(status, 3, said);
  assert.match(said, /at the top[\s\S]*broken\.spec\.ts:1/);
});

test('a scenario that it wrote is red until it is filled in, and an editor has the types of both', () => {
  const { status, said } = sextant(['new', 'scenario', 'see a story', '--area', 'stories']);
  assert.equal(status, 0, said);
  assert.doesNotMatch(said, /CONTRIBUTING|npm run/);
  assert.match(sextant(['check', '--env', 'local', '--grep', 'see a story']).said, /unknown .* see a story/);
  const tsc = join(projectRoot, 'node_modules', 'typescript', 'bin', 'tsc');
  const types = runToEnd(process.execPath, [tsc, '-p', project]);
  assert.deepEqual([types.status, types.stdout], [0, '']);
});

test('Playwright is not started where specs would be loaded as CommonJS', () => {
  const file = join(project, 'package.json');
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, '{}');
  const { status, said } = sextant(['test']);
  writeFileSync(file, text);
  assert.deepEqual([status, /package\.json needs `"type": "module"`/.test(said)], [2, true], said);
});

test('the monitor runs from it, and keeps its files in the project', async () => {
  const port = await freePortsInARow();
  const monitor = startCommand(['monitor', '--env', 'local', '--port', String(port)], {}, bin, project);
  await until(() => monitor.said().includes('Status page'), monitor);
  assert.equal((await fetch(`http://127.0.0.1:${port}/healthz`)).status, 200);
  assert.equal((await fetch(`http://127.0.0.1:${port}/assets/page.css`)).status, 200);
  monitor.child.kill('SIGTERM');
  assert.equal(await monitor.ended, 0, monitor.said());
  assert.ok(existsSync(join(project, 'monitor-data')), readdirSync(project).join());
});

const modules = join(project, 'node_modules');
const { SEXTANT_OUTPUT: _, SEXTANT_STATE: __, ...ofMachine } = plainEnvironment() as Record<string, string>;
/** Programs of a pipeline's machine. Without a registry, `npm` is a script that links the packages that this test has installed. */
const tools = writeFiles(join(folder, 'tools'), {
  gh: `#!/bin/sh\ncp ${tarball} "$9"\n`,
  ...(process.env.SEXTANT_TEST_PACKAGE
    ? {}
    : {
        npm: `#!/bin/sh
set -e
to=.
[ "$1" != ci ] || test -f package-lock.json
for each in "$@"; do case $each in sextant@file:*) test -f "\${each#sextant@file:}" ;; /*) to=$each ;; esac; done
if [ -f "$to/package.json" ]; then
  test -f "$to/$(sed -n 's/.*"sextant": "file:\\(.*\\)".*/\\1/p' "$to/package.json")"
  echo '{"packages": {"node_modules/sextant": {}}}' > "$to/package-lock.json"
fi
mkdir -p "$to/node_modules/.bin"
chmod +x ${bin}
ln -sfn ${modules}/* "$to/node_modules"
ln -sfn ${bin} "$to/node_modules/.bin/sextant"
`,
      }),
});
for (const name of readdirSync(tools)) chmodSync(join(tools, name), 0o755);
const machineOf = (name: string) => ({
  workspace: join(folder, name, 'checkout'),
  kept: join(folder, name, 'kept'),
  env: { ...ofMachine, CI: 'true', PATH: `${tools}:${dirname(process.execPath)}:${process.env['PATH']}` },
});

const artifact = ({ kept }: Machine, path: string) => readFileSync(join(kept, 'artifacts', path), 'utf8');

/** Starts a service other than the reference service. Returns the text of its environment without secrets, and the secrets. */
async function strangerFor(t: TestContext) {
  const { make, keys } = strangers.linked as Stranger;
  const seen: string[] = [];
  const handle = make();
  const { url, stop } = await serve((incoming) => {
    seen.push(`${incoming.method} ${incoming.path}`);
    return handle(incoming);
  });
  t.after(stop);
  const { ACCESS_TOKEN = '', API_KEY = '', FRIEND_ACCESS_TOKEN = '', ...rest } = keys;
  const open = { ACCESS_TOKEN: undefined, API_KEY: undefined, CONSISTENCY_TIMEOUT_MS: 100 };
  const text = environmentText(url, { ...rest, ...open }).replaceAll('{url}', url);
  return { keys, url, text, seen, secrets: { ACCESS_TOKEN, API_KEY, FRIEND_ACCESS_TOKEN } };
}

test('the action in a repository without anything else: what one run leaves, the next one has', async (t) => {
  const { url, text, secrets, seen, keys } = await strangerFor(t);
  const machine = machineOf('empty');
  // Nothing listens at the address in the environment's file. So a run needs the address of the deployment, which the pipeline passes with
  // `set`.
  const file = text.replace(/FRIEND_URL=.*/, 'FRIEND_URL=http://127.0.0.1:9');
  const github = { run_attempt: 1, job: 'check', action_repository: 'your/sextant', token: 'token-of-the-job' };
  const run = (run_id: number) => {
    rmSync(machine.workspace, { recursive: true, force: true });
    writeFiles(machine.workspace, { 'e2e/environments/staging.env': file });
    const given = { environment: 'staging', folder: 'e2e', command: 'check', set: `FRIEND_URL=${url}` };
    return playSteps([{ id: 'it', uses: copy, with: given, env: secrets }], { github: { ...github, run_id } }, machine);
  };
  const first = await run(1);
  assert.deepEqual([first.code, first.steps['it']?.outputs['code']], [0, '0'], first.said);
  assert.match(first.said, /staging runs with FRIEND_URL=http:.*, from --set/);
  const { environment, scenarios } = JSON.parse(artifact(machine, 'sextant-staging-check/e2e/results/check.json'));
  assert.ok(environment === 'staging' && scenarios.length > 20);
  assert.match(artifact(machine, 'sextant-staging-check/e2e/results/junit.xml'), /<testsuite/);
  // The journal that a killed run has left. It belongs to the address in `set`, not to the address in the environment's file.
  const left = join(machine.kept, 'caches', 'sextant_staging_1_1_check_check', 'e2e', '.sextant', 'journal');
  const [folderOfAddress = ''] = readdirSync(left);
  assert.match(folderOfAddress, /^staging@[0-9a-f]{12}$/);
  const args = { friendId: keys['FRIEND_USER_ID'] };
  const entry = {
    id: 'one',
    change: 'block',
    undo: 'unblock',
    args,
    as: 'caller',
    userId: keys['USER_ID'],
    base: `${url}/`,
    at: '2026-11-01T00:00:00Z',
  };
  writeFiles(join(left, folderOfAddress), { 'killed.jsonl': `${JSON.stringify({ entry })}\n` });
  const before = seen.length;
  const second = await run(2);
  assert.equal(second.code, 0, second.said);
  const [undone = ''] = seen.slice(before).filter((line) => !line.startsWith('GET'));
  assert.match(undone, /\/unblock$/, second.said);
  assert.deepEqual(readdirSync(join(machine.workspace, 'e2e', '.sextant', 'journal', folderOfAddress)), []);
});

for (const ci of ['github', 'gitlab'])
  test(`what init writes for ${ci} survives its first push, and runs there by its own steps`, async (t) => {
    const { text, secrets } = await strangerFor(t);
    const machine = machineOf(ci);
    const [origin, service] = [join(folder, `${ci}.git`), join(folder, ci, 'service')];
    const at = (cwd: string, program: string, ...rest: string[]) => {
      const { status, output } = runToEnd(program, rest, { cwd, env: machine.env });
      assert.equal(status, 0, output);
      return output;
    };
    // The repository of a service: it contains other files, and ignores archives.
    writeFiles(service, { 'main.go': 'package main\n', '.gitignore': '*.tgz\n' });
    at(service, 'git', 'init', '-q', '-b', 'main');
    const printed = at(service, process.execPath, bin, 'init', 'e2e', '--ci', ci, '--package', tarball);
    assert.match(printed, /^- npx --no sextant environments new staging /m);
    // The environment allows only `read`, because other tests play the whole suite.
    writeFiles(service, { 'e2e/environments/staging.env': text.replace(/ALLOWED_EFFECTS=.*/, 'ALLOWED_EFFECTS=read') });
    at(join(service, 'e2e'), 'npm', 'install');
    at(service, 'git', 'add', '.');
    at(service, 'git', '-c', 'user.name=t', '-c', 'user.email=t@your.org', 'commit', '-qm', 'Checks');
    at(folder, 'git', 'init', '-q', '--bare', origin);
    at(service, 'git', 'push', '-q', origin, 'main');
    const play = async (event_name: 'schedule' | 'push', run_id: number) => {
      rmSync(machine.workspace, { recursive: true, force: true });
      at(folder, 'git', 'clone', '-q', '-b', 'main', origin, machine.workspace);
      if (ci === 'gitlab') {
        const recipe = readFileSync(join(machine.workspace, 'e2e', '.gitlab-ci.yml'), 'utf8');
        const variables = Object.fromEntries(Object.entries(secrets).map(([key, value]) => [`STAGING_${key}`, value]));
        const job = event_name === 'push' ? 'sextant-test' : 'sextant-check';
        return playGitlabJob(recipe, job, { ...machine, env: { ...machine.env, ...variables } });
      }
      const { jobs } = parse(readFileSync(join(machine.workspace, '.github', 'workflows', 'sextant.yml'), 'utf8'));
      return playSteps(
        jobs.sextant.steps,
        { github: { event_name, run_id, run_attempt: 1, job: 'sextant' }, secrets },
        machine,
      );
    };
    for (const [id, event] of (['push', 'schedule'] as const).entries()) {
      const { code, said } = await play(event, id);
      assert.equal(code, 0, said);
    }
    // The scheduled check restored the history that the push saved, and saved its own results.
    const results = join(machine.workspace, 'e2e', 'results');
    assert.equal(readFileSync(join(results, 'history.jsonl'), 'utf8').trim().split('\n').length, 1);
    const kept = globSync('artifacts/*/e2e/results/{junit.xml,summary.md,report/index.html}', { cwd: machine.kept });
    assert.equal(kept.length, 5, kept.join());
  });
