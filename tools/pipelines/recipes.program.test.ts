import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join, matchesGlob } from 'node:path';
import { test } from 'node:test';
import { parse } from 'yaml';
import { projectRoot } from '../../src/environment/project-root.ts';
import { ownFolder } from '../../src/testing/own-folder.ts';
import { plainEnvironment, runToEnd } from '../../src/testing/programs/child.ts';
import { startProgram, until } from '../../src/testing/programs/run-command.ts';
import { complaintsOf } from '../pages/check-links.ts';

const at = (path: string) => join(projectRoot, path);
const read = (path: string) => readFileSync(at(path), 'utf8');

const github = globSync('.github/workflows/*.yml', { cwd: projectRoot }).sort();
/** Files that `init` writes into a team's project. */
const template = 'src/cli/templates/project/.github/workflows/sextant.yml.template';
const gitlab = 'src/cli/templates/project/.gitlab-ci.yml.template';
const action = 'action.yml';
const systems: Readonly<Record<string, readonly string[]>> = {
  github: [...github.filter((path) => !/\/(ci|release)\.yml$/.test(path)), template, action],
  gitlab: [gitlab],
  generic: ['docs/ci/generic.sh'],
};

interface Job {
  readonly 'runs-on': string;
  readonly needs?: string | readonly string[];
  readonly environment?: unknown;
  readonly concurrency?: { readonly group: string; readonly queue?: string };
  readonly steps: readonly { readonly uses?: string; readonly run?: string }[];
}

/** The problems of a workflow: parts that GitHub would refuse, and actions that are not pinned by a hash with the version in a comment. */
function workflowProblems(text: string): string[] {
  const { on, jobs } = parse(text) as { readonly on: object; readonly jobs: Readonly<Record<string, Job>> };
  const known = new Set([...text.matchAll(/(?<=^ {6}|^ {4})[\w-]+(?=:)|(?<=^ +id: )\S+/gm)].map(([name]) => name));
  const named = [...text.matchAll(/\b(?:inputs|steps|needs)\.([\w-]+)/g)].map(([, name = '']) => name);
  const unpinned = [...text.matchAll(/uses: (?!\.\/)(.*)/g)].filter(
    ([, action = '']) => !/^[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(action),
  );
  return [
    ...unpinned.map(([, action]) => `${action} is not pinned by its hash`),
    ...(typeof on === 'object' ? [] : ['it starts by nothing']),
    ...named.filter((name) => !known.has(name) && !(name in jobs)).map((name) => `${name} is nowhere`),
    ...Object.entries(jobs).flatMap(([name, { 'runs-on': machine, needs = [], steps }]) => [
      ...(machine ? [] : [`${name} runs nowhere`]),
      ...[needs].flat().flatMap((need) => (need in jobs ? [] : [`${name} needs ${need}`])),
      ...steps.flatMap(({ uses, run }) => {
        return (uses === undefined) === (run === undefined) ? [`a step of ${name} has not one of uses and run`] : [];
      }),
    ]),
  ];
}

for (const path of [...github, template])
  test(`${path}: its structure is that of a workflow`, () => assert.deepEqual(workflowProblems(read(path)), []));

test('the actions that the action uses are pinned by their hash', () => {
  const used = [...read(action).matchAll(/uses: (.*)/g)].map(([, name = '']) => name);
  assert.equal(used.length, 4);
  for (const name of used) assert.match(name, /^actions\/[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
});

test('whatever acts as the users of an environment is in one queue of GitHub, and no run cancels another', () => {
  const groups = [...github, template].flatMap((path) => {
    const { jobs } = parse(read(path)) as { readonly jobs: Readonly<Record<string, Job>> };
    return Object.values(jobs).flatMap(({ steps, concurrency }) =>
      steps.some(({ uses }) => /^\.\/(\.github\/actions\/sextant)?$/.test(uses ?? '')) ? [concurrency] : [],
    );
  });
  assert.deepEqual(
    groups.map((each) => each?.group.replace(/\$\{\{ \w+\.environment \}\}/, 'staging')),
    Array(3).fill('sextant-staging'),
  );
  assert.ok(groups.every((each) => each?.queue === 'max'));
});

/** Linters of workflows. A linter runs only if the machine has it, because npm doesn't offer these linters for every platform. */
const linters = {
  // actionlint doesn't know this key of GitHub's yet.
  actionlint: ['-color=false', '-ignore', 'unexpected key "queue" for "concurrency"'],
  zizmor: ['--offline', '--no-progress', '--quiet', '--config', at('.github/zizmor.yml')],
} as const;
for (const [linter, options] of Object.entries(linters)) {
  const isMissing = spawnSync(linter, ['--version']).status !== 0;
  test(`${linter} finds nothing in any workflow`, { skip: isMissing && `${linter} is not installed` }, () => {
    const folder = ownFolder();
    // actionlint finds the inputs of the repository's own action only if the folder looks like the repository.
    for (const name of ['.github/workflows', '.github/actions/sextant', '.git'])
      mkdirSync(join(folder, name), { recursive: true });
    for (const path of [...github, template])
      copyFileSync(at(path), join(folder, '.github', 'workflows', basename(path).replace(/\.template$/, '')));
    for (const path of [action, `.github/actions/sextant/${action}`]) copyFileSync(at(action), join(folder, path));
    const { status, output } = runToEnd(linter, [...options, ...(linter === 'zizmor' ? ['.'] : [])], { cwd: folder });
    assert.equal(status, 0, output);
  });
}

test('Renovate updates the actions of every workflow, and the Node of all platforms together', () => {
  const { 'github-actions': actions, packageRules } = JSON.parse(read('renovate.json'));
  const patterns = [
    /^\.github\/workflows\/|^action\.yml$/,
    ...actions.managerFilePatterns.map((text: string) => new RegExp(text.slice(1, -1))),
  ];
  for (const path of [...github, template, action])
    assert.ok(
      patterns.some((pattern) => pattern.test(path)),
      path,
    );
  const groups = packageRules.filter(({ matchFileNames = [] }: { matchFileNames?: string[] }) =>
    matchFileNames.some((pattern) => matchesGlob('src/cli/launcher/runtime/linux-x64/package.json', pattern)),
  );
  assert.ok(groups.some(({ groupName }: { groupName?: string }) => groupName));
});

test('GitHub: mistakes are found', () =>
  assert.deepEqual(
    workflowProblems('on: {push: }\njobs: {a: {needs: b, steps: [{name: x}]}}\n# uses: y@v6\n# steps.gone.outcome'),
    [
      'y@v6 is not pinned by its hash',
      'gone is nowhere',
      'a runs nowhere',
      'a needs b',
      'a step of a has not one of uses and run',
    ],
  ));

type GitlabJob = Readonly<Partial<Record<'extends' | 'needs', string | readonly string[]>>>;

const gitlabRecipe = () => parse(read(gitlab)) as Record<string, GitlabJob>;

test('GitLab: the jobs are those of the recipe, and each that is extended or needed is there', () => {
  const recipe = gitlabRecipe();
  const jobs = Object.keys(recipe).filter((name) => !/^(default|variables|stages|\..*)$/.test(name));
  assert.deepEqual(jobs, ['sextant-test', 'sextant-check', 'pages']);
  for (const { extends: parent = [], needs = [] } of Object.values(recipe))
    for (const name of [parent, needs].flat()) assert.ok(name in recipe, name);
});

/**
 * Runs the recipe for any shell, which keeps its files in `keep`. A script replaces Sextant: it appends its arguments to the history of
 * runs, and ends with `code`. `during`: a command, such as `flock FILE`, that runs the recipe.
 */
function generic(keep: string, args: readonly string[], code = 0, during = '') {
  const npx = `#!/bin/sh\n[ "$1" = --no ] && shift\necho "$@" >> "$SEXTANT_OUTPUT/history.jsonl"\ntouch "$SEXTANT_STATE/used"\nexit ${code}\n`;
  mkdirSync(join(keep, 'bin'), { recursive: true });
  writeFileSync(join(keep, 'bin', 'npx'), npx, { mode: 0o755 });
  const PATH = `${join(keep, 'bin')}:${process.env['PATH']}`;
  const env = { ...plainEnvironment(), PATH, KEEP: keep, SEXTANT_OUTPUT: join(ownFolder(), 'results') };
  return runToEnd('bash', ['-c', `${during} bash docs/ci/generic.sh "$@"`, '', ...args], { env }).status;
}

test('any shell: a scheduled check is skipped while another run is under way', () => {
  const keep = ownFolder();
  assert.equal(generic(keep, ['local', 'scheduled'], 1, `flock ${join(keep, 'under-way')}`), 0);
  assert.equal(existsSync(join(keep, 'history.jsonl')), false);
  assert.equal(generic(keep, ['local', 'scheduled'], 1), 1);
});

test('any shell: each kind of run ends with its own code, and what must be kept goes from one to the next', () => {
  const keep = ownFolder();
  assert.equal(generic(keep, ['local', 'release']), 0);
  assert.equal(generic(keep, ['local', 'release'], 3), 3);
  assert.equal(generic(keep, ['nowhere', 'scheduled'], 2), 2);
  assert.equal(generic(keep, ['local', 'whatever']), 2);
  const runs = readFileSync(join(keep, 'history.jsonl'), 'utf8').trim().split('\n');
  assert.deepEqual(runs.slice(0, 2), ['sextant test --env local --yes', 'sextant test --env local --yes']);
  assert.match(
    runs.slice(2).join(),
    /^sextant check --env nowhere --yes --keep-items --junit \S+junit\.xml --summary \S+summary\.md$/,
  );
  assert.ok(existsSync(join(keep, 'state', 'used')));
});

test('the action: whoever stops its shell stops Sextant, and what a killed run left is undone', async () => {
  const folder = ownFolder();
  const [calls, SEXTANT] = [join(folder, 'calls'), join(folder, 'sextant')];
  const plays = 'trap \'exit 130\' TERM\necho "$@" >> calls\n[ $1 = undo ] && exit\nwhile :; do sleep 0.1; done\n';
  writeFileSync(SEXTANT, `#!/bin/sh\n${plays}`, { mode: 0o755 });
  const { run } = parse(read(action)).runs.steps.find(({ id = '' }) => id === 'run');
  const given = { ENVIRONMENT: 'pre-prod', COMMAND: 'test', SET: 'FRIEND_URL=x', SEXTANT, GITHUB_OUTPUT: '/dev/null' };
  const env = { ...plainEnvironment(), ...given };
  const step = startProgram('bash', ['-eo', 'pipefail', '-c', run], { cwd: folder, env });
  await until(() => existsSync(calls), step);
  step.child.kill('SIGTERM');
  assert.equal(await step.ended, 130, step.said());
  const args = '--env pre-prod --yes --set FRIEND_URL=x';
  assert.equal(readFileSync(calls, 'utf8'), `test ${args}\nundo ${args}\n`);
});

for (const [system, paths] of Object.entries(systems)) {
  const text = paths.map(read).join('\n');
  const whole: [what: string, pattern: RegExp][] = [
    ['before a release', /sextant"? test/i],
    ['scheduled', /sextant"? check/i],
    ['a schedule', /cron|schedule/],
    ...(system === 'github' ? [] : [['secrets by file', /\.secret\.env/] as [string, RegExp]]),
    ['secrets by variable', /STAGING_ACCESS_TOKEN|secrets\.ACCESS_TOKEN/],
    ['state that is kept', /\.sextant|SEXTANT_STATE/],
  ];
  for (const [what, pattern] of whole) test(`${system}: ${what}`, () => assert.match(text, pattern));

  for (const path of paths)
    test(`${path}: its commands and their options are there`, () =>
      assert.deepEqual(complaintsOf(path, read(path)), []));
}

test('the page names every recipe', () => {
  const page = read('docs/ci.md');
  for (const path of Object.values(systems).flat()) assert.ok(page.includes(basename(path)), path);
});

test('Allure joins the results of several jobs with the commands of the page, and reports nothing to Google', () => {
  const folder = ownFolder();
  for (const name of ['one', 'two']) {
    const results = join(folder, 'jobs', name, 'allure-results');
    mkdirSync(results, { recursive: true });
    const result = { uuid: name, historyId: name, name, status: 'passed', labels: [] };
    writeFileSync(join(results, `${name}-result.json`), JSON.stringify(result));
  }
  const [, commands = ''] =
    /## In several jobs[^`]*(?:`[^`\n]+`[^`]*)*```sh\n([\s\S]*?)```/.exec(read('docs/ci.md')) ?? [];
  const here = commands.replaceAll(/\b(jobs|joined)\b/g, `${folder}/$1`);
  // As in every other run, Node loads the configuration, which is faster than Allure's own loader.
  const env = { ...plainEnvironment(), JITI_TRY_NATIVE: '1' };
  const { status, output } = runToEnd('bash', ['-ec', here], { env });
  assert.equal(status, 0, output);
  const report = join(folder, 'joined', 'report');
  assert.equal(JSON.parse(readFileSync(join(report, 'summary.json'), 'utf8')).stats.passed, 2);
  assert.doesNotMatch(readFileSync(join(report, 'index.html'), 'utf8'), /src="https?:/);
});
