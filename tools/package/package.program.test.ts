import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { projectRoot } from '../../src/environment/project-root.ts';
import { ownFolder } from '../../src/testing/own-folder.ts';
import { plainEnvironment, runToEnd } from '../../src/testing/programs/child.ts';
import { freePortsInARow, startCommand, until } from '../../src/testing/programs/run-command.ts';

const folder = ownFolder();
const project = join(folder, 'project');
const bin = join(project, 'node_modules', 'sextant', 'dist', 'src', 'cli', 'launcher', 'sextant.js');

/** Node 20 fetches a newer Node; others are tried by hand (docs/package.md). */
const nodes = [process.execPath, '/usr/bin/node'].filter((path) => existsSync(path));

// As everybody would: what npm packs is what runs. In a copy, since its package.json has another text meanwhile.
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

/** As npm would; by default without a registry: the packages that the project has, by links. */
function install(): void {
  const modules = join(project, 'node_modules');
  mkdirSync(join(modules, 'sextant'), { recursive: true });
  if (process.env.SEXTANT_TEST_PACKAGE) {
    rmSync(modules, { recursive: true });
    const named = `sextant@file:${tarball}`;
    execFileSync('npm', ['install', '--no-audit', '--no-fund', '--no-save', named], { cwd: project, stdio: 'pipe' });
    return;
  }
  // What npm notes about what it has installed.
  const packages = { 'node_modules/sextant': { resolved: `file:../${about.filename}` } };
  writeFileSync(join(modules, '.package-lock.json'), JSON.stringify({ packages }));
  execFileSync('tar', ['xzf', tarball, '--strip-components=1', '-C', join(modules, 'sextant')]);
  for (const name of readdirSync(join(projectRoot, 'node_modules')))
    if (!/^(\.|sextant)/.test(name))
      symlinkSync(join(projectRoot, 'node_modules', name), join(modules, name), 'junction');
}

function sextant(args: readonly string[], node = process.execPath) {
  // What it leaves is left in the project.
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
  for (const path of ['README.md', 'LICENSE', 'docs/package.md', 'dist/fixtures/index.d.ts', ...schemas])
    assert.ok(paths.includes(path), path);
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
  assert.deepEqual(devDependencies, { sextant: `file:../${about.filename}` });
  assert.match(sextant(['init']).said, /^environments\/staging\.env exists already\. /m);
  assert.match(sextant(['check', '--env', 'staging']).said, /staging/);
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
    /Nothing that was known/,
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
