import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { projectRoot } from '../../environment/project-root.ts';
import { writeFiles } from '../../testing/own-folder.ts';
import { runInProcess } from '../../testing/programs/run-in-process.ts';
import { ownFolder } from '../../testing/servers/own-service.ts';

const tarball = join(ownFolder(), 'sextant.tgz');
writeFileSync(tarball, 'the package');
const init = (folder: string, ...flags: string[]) => runInProcess(['init', folder, '--package', tarball, ...flags]);
const read = (folder: string, name: string) => readFileSync(join(folder, name), 'utf8');

test('init keeps what a folder has, and names all that is in its way', async () => {
  const folder = ownFolder();
  writeFileSync(join(folder, '.gitignore'), '# ours\n\nnode_modules/\n\ndist/');
  writeFileSync(join(folder, 'package.json'), '{"name":"ours"}');
  const begun = await init(folder);
  assert.equal(begun.code, 0, begun.err);
  assert.ok(begun.out.includes(`Next:\n- cd ${folder} && npm install\n`), begun.out);
  assert.match(
    read(folder, '.gitignore'),
    /^# ours\n\nnode_modules\/\n\ndist\/\nresults\/\n(?:.+\n)*environments\/\*\.secret\.env\n!vendor\/\*\.tgz\n$/,
  );
  const { name, devDependencies } = JSON.parse(read(folder, 'package.json'));
  assert.deepEqual([name, devDependencies.sextant], ['ours', 'file:vendor/sextant.tgz']);
  assert.equal(read(folder, 'vendor/sextant.tgz'), readFileSync(tarball, 'latin1'));
  const { code, err } = await init(folder);
  assert.equal(code, 2);
  const taken = [
    'tests/scenarios/first.spec.ts',
    'tsconfig.json',
    '.github/workflows/sextant.yml',
    '.github/actions/sextant/action.yml',
  ];
  const cure = 'exists already. Remove it, or name another folder: sextant init FOLDER.';
  assert.equal(err, taken.map((file) => `${join(folder, file)} ${cure}\n`).join(''));
});

test('every file is that of the environment it is made for', async () => {
  const folder = ownFolder();
  for (const [ci, file, says] of [
    ['github', '.github/workflows/sextant.yml', /environment: pre-prod\n/],
    ['gitlab', '.gitlab-ci.yml', /PRE_PROD_API_KEY[\s\S]*ENVIRONMENT: pre-prod\n/],
  ] as const) {
    const { code, out, err } = await init(join(folder, ci), '--env', 'pre-prod', '--ci', ci);
    assert.equal(code, 0, err);
    assert.match(out, /^- npx --no sextant environments new pre-prod /m);
    assert.match(read(join(folder, ci), file), says);
    assert.doesNotMatch(read(join(folder, ci), file), /staging/i);
  }
});

test('its tsconfig lets an editor accept what Node takes, and refuse what Node refuses', async () => {
  const folder = ownFolder();
  assert.equal((await init(folder)).code, 0);
  writeFiles(folder, {
    'tests/helpers/data.json': { language: 'en' },
    'tests/helpers/users.ts': 'export interface User { readonly id: string }\nexport const user: User = { id: "1" };\n',
    'tests/helpers/right.ts':
      "import data from './data.json' with { type: 'json' };\nimport { type User, user } from './users.ts';\nexport const all: [User, string] = [user, data.language];\n",
    'tests/helpers/wrong.ts':
      "import data from './data.json';\nimport { user } from './users';\nimport { User } from './users.ts';\nexport enum Kind { a }\nexport const all = [user, data, {} as User];\n",
  });
  const tsc = join(projectRoot, 'node_modules', '.bin', 'tsc');
  const { stdout } = spawnSync(tsc, ['-p', folder, '--checkers', '1'], { cwd: folder, encoding: 'utf8' });
  const own = stdout.split('\n').filter((line) => line.startsWith('tests/helpers/'));
  const lines = own.map((line) => /^tests\/helpers\/(\w+\.ts\(\d+),/.exec(line)?.[1]);
  assert.deepEqual(lines, ['wrong.ts(1', 'wrong.ts(2', 'wrong.ts(3', 'wrong.ts(4'], stdout);
});

for (const [title, flags, says] of [
  [
    'a checkout is no package',
    [],
    /^This is a checkout, and a project needs a package\. Make one with `npm pack`, and name its file: /,
  ],
  [
    'a file that is gone',
    ['--package', 'gone.tgz'],
    /gone\.tgz, which no longer exists\. Name another file: --package FILE\./,
  ],
] as const)
  test(`it writes nothing that npm could not install: ${title}`, async () => {
    const folder = ownFolder();
    const { code, err } = await runInProcess(['init', folder, ...flags]);
    assert.equal(code, 2);
    assert.match(err, says);
    assert.throws(() => read(folder, 'package.json'), { code: 'ENOENT' });
  });
