import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { projectRoot } from '../../src/environment/project-root.ts';
import { textsOf } from '../sources.ts';
import { complaintsOf, refusalOf } from './check-links.ts';
import { commandsOf } from './commands.ts';
import { cureOf, cures, messages } from './messages.ts';
import { withPart } from './with-part.ts';

const read = (file: string) => readFileSync(join(projectRoot, file), 'utf8');
const { scripts, dependencies, devDependencies } = JSON.parse(read('package.json')) as Readonly<
  Record<string, Readonly<Record<string, string>>>
>;

const FIRST_SCREEN = 20;

test("the README's first screen has the two commands that set up a fresh machine, and what they take", () => {
  const screen = read('README.md').split('\n').slice(0, FIRST_SCREEN).join('\n');
  for (const [command, script] of [
    ['npm ci && npm start', 'start'],
    ['npm ci && npm test', 'test'],
  ] as const) {
    assert.match(screen, new RegExp(`^${command}\\b`, 'm'));
    assert.ok(scripts?.[script], script);
  }
  for (const need of [/Node 20/, /npm 10/, /`npm test` takes .*minutes/s, /skipped where there is none/])
    assert.match(screen, need);
});

test('docs/internals/libraries.md names every library that the project depends on, and no other', () => {
  const rows = read('docs/internals/libraries.md').match(/^\| `.*?\|/gm) ?? [];
  const named = rows.flatMap((row) => [...row.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name));
  const runtimes = named.filter((name) => /^node-/.test(name));
  assert.deepEqual(
    named.filter((name) => !runtimes.includes(name)).sort(),
    Object.keys({ ...dependencies, ...devDependencies }).sort(),
  );
});

// Each of these references must cause a complaint. Valid references need no test: the pages have many, and `npm run check` complains about
// none.
const rows: [text: string, complaint: RegExp][] = [
  ['`npx sextant chek --env local`', /unknown command `sextant chek`/],
  ['`npx sextant check --environment local`', /`sextant check` has no option --environment/],
  ['see `src/call/cal.ts`', /src\/call\/cal\.ts does not exist/],
  ['[a page](ARCHITEKTUR.md)', /broken link ARCHITEKTUR\.md/],
  ['`npm run chekc`', /unknown npm script chekc/],
];

test('no page and no recipe lets npx fetch a package that only has the same name', () => {
  const stranger = /a stranger's package/;
  assert.match(complaintsOf('README.md', 'npx sextant init').join(), stranger);
  assert.match(complaintsOf('README.md', 'npx --yes allure generate').join(), stranger);
  assert.match(complaintsOf('docs/ci/generic.sh', 'release) npx sextant test --env a ;;').join(), stranger);
  for (const text of ['npx sextant test', 'npx --no sextant init', 'npx --package=./sextant.tgz sextant init'])
    assert.deepEqual(complaintsOf('README.md', text), []);
  const recipes = textsOf([
    '.github/workflows/*.yml',
    'docs/ci/*.sh',
    'src/cli/templates/project/{.gitlab-ci.yml,.github/**/*.yml}.template',
  ]);
  assert.equal(recipes.size, 7);
  const found = [...recipes].flatMap(([name, text]) => complaintsOf(name, text));
  assert.deepEqual(
    found.filter((complaint) => stranger.test(complaint)),
    [],
  );
});

for (const [text, expected] of rows) {
  test(`${text} → ${expected}`, () => {
    assert.match(complaintsOf('README.md', text).join('\n'), expected);
  });
}

test('a generated part is replaced, and nothing around it', () => {
  assert.equal(withPart('a\n<!-- x -->\nold\n<!-- /x -->\nb', 'x', 'new'), 'a\n<!-- x -->\nnew\n<!-- /x -->\nb');
  assert.throws(() => withPart('a', 'x', 'new'), /has no <!-- x -->/);
});

test('each reason for leaving something out has a cure, and each cure has a reason', () => {
  const texts = messages().flatMap(({ kind, text }) => (kind === 'skip' ? [text] : []));
  assert.ok(texts.length > 20);
  assert.deepEqual(
    texts.filter((text) => !cureOf(text)),
    [],
  );
  const used = new Set(texts.map(cureOf));
  assert.deepEqual(
    cures.flatMap(([message, cure]) => (used.has(cure) ? [] : [message.source])),
    [],
  );
});

test('README and llms.txt link every page for users', () => {
  const pages = [...textsOf(['docs/*.md', 'docs/reference/*.md']).keys()];
  assert.ok(pages.length > 20);
  for (const list of ['README.md', 'llms.txt'])
    assert.deepEqual(
      pages.filter((page) => !read(list).includes(`](${page})`)),
      [],
      list,
    );
});

test('a command in a page is parsed as if it were typed', async () => {
  assert.match((await refusalOf('npx sextant check --env a --deadline soon   # a comment')) ?? '', /--deadline/);
  assert.match((await refusalOf('npx sextant compare one')) ?? '', /missing required argument/);
  assert.equal(await refusalOf("npx --no sextant check --env 'prod-*' --deadline 50s || true"), undefined);
});

test('the commands of a page are those of its blocks and sentences, with what the page says of those that were not tried', () => {
  const page = [
    'Run `npm test`, or `docker stop` <!-- not tried: needs Docker -->; `gh x y` <!-- not tried: needs GitHub -->, `npx sextant …`.',
    '```sh\nnpm ci   # all\nls \\\n  "#1"\nkubectl x   # not tried: needs a cluster\n```',
    '<!-- not tried: needs Windows -->\n```bat\nset A=1\n```\n```json\n{}\n```',
  ].join('\n\n');
  assert.deepEqual(
    commandsOf('a.md', page).map(({ line, text, notTried }) => [line, text, notTried]),
    [
      [1, 'npm test', undefined],
      [1, 'gh x y', 'needs GitHub'],
      [4, 'npm ci', undefined],
      [5, 'ls "#1"', undefined],
      [7, 'kubectl x', 'needs a cluster'],
      [12, 'set A=1', 'needs Windows'],
    ],
  );
});
