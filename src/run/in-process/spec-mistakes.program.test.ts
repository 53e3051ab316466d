import assert from 'node:assert/strict';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { projectRoot } from '../../environment/project-root.ts';
import { mistakenSpecs, specText } from '../../testing/mistaken-specs.ts';
import { ownEnvironments, writeFiles } from '../../testing/own-folder.ts';
import { plainEnvironment } from '../../testing/programs/child.ts';
import { startProgram } from '../../testing/programs/run-command.ts';
import { ownService } from '../../testing/servers/own-service.ts';
import { environmentText } from '../../testing/test-environment.ts';
import type { ScenarioResult } from '../index.ts';

const service = await ownService();
const own = ownEnvironments({
  one: environmentText(service.addresses, { FRIEND_PROFILE_REQUEST: undefined, SUCCESS_WHEN: undefined }),
});
const folder = join(own.folder, 'tests', 'scenarios');

const name = (index: number) => `${String(index).padStart(2, '0')}.spec.ts`;
/** Correct scenarios that run at the same time as specs with mistakes. The suite must not attribute any mistake to them. */
const innocent = Array.from({ length: 30 }, (_, index) => {
  const read = 'await stories.reportOptions({ language }).succeeds();';
  return `scenario('good ${index}', { tag: ['@stories', '@read'] }, async ({ stories, language }) => {\n  ${read}\n  ${read}\n});\n`;
}).join('');

/** Specs that can't be loaded, by title: the source, further files, and the expected line and message of the mistake. */
const notLoading: Readonly<
  Record<string, { source: string; files?: Readonly<Record<string, unknown>>; place: string; says: RegExp }>
> = {
  'JSON without an attribute': {
    source: "import data from './kept/data.json';\nvoid data;\n",
    files: { 'kept/data.json': { language: 'en' } },
    place: 'json-without-an-attribute.spec.ts:1',
    says: /needs an import attribute .*; write import … from '\.\/kept\/data\.json' with \{ type: 'json' \}; until then Sextant runs none of its scenarios$/,
  },
  'JSON without an attribute in a helper': {
    source: "import { en } from './kept/english.ts';\nvoid en;\n",
    files: { 'kept/english.ts': "// English\nimport data from './data.json';\nexport const en = data.language;\n" },
    place: 'english.ts:2',
    says: /; write import … from '\.\/data\.json' with \{ type: 'json' \}; /,
  },
  'a missing package': {
    source: "\nimport { faker } from '@faker-js/faker/en';\nvoid faker;\n",
    place: 'a-missing-package.spec.ts:2',
    says: /Cannot find package '@faker-js\/faker'; install @faker-js\/faker\/en with npm, or, if tsconfig\.json has it as an alias, write the file's path: Node reads no `paths`; /,
  },
  'a missing package in a helper': {
    source: "import './kept/made-up.ts';\n",
    files: { 'kept/made-up.ts': "import * as all from 'no-such-package';\nvoid all;\n" },
    place: 'made-up.ts:1',
    says: /install no-such-package with npm/,
  },
  'an alias of paths': {
    source: "import { en } from '@helpers/english';\nvoid en;\n",
    place: 'an-alias-of-paths.spec.ts:1',
    says: /Node reads no `paths`/,
  },
  'an alias of imports': {
    source: "import { en } from '#helpers/english';\nvoid en;\n",
    place: 'an-alias-of-imports.spec.ts:1',
    says: /"#helpers\/english" is not defined/,
  },
  'no extension': {
    source: "import { one } from './kept/one';\nvoid one;\n",
    files: { 'kept/one.ts': 'export const one = 1;\n' },
    place: 'no-extension.spec.ts:1',
    says: /; write '\.\/kept\/one\.ts': Node needs the whole name; /,
  },
  'the extension of a compiled file': {
    source: "import { one } from './kept/one.js';\nvoid one;\n",
    place: 'the-extension-of-a-compiled-file.spec.ts:1',
    says: /; write '\.\/kept\/one\.ts': Node needs the whole name; /,
  },
  'a folder': {
    source: "import { two } from './kept/more';\nvoid two;\n",
    files: { 'kept/more/index.ts': 'export const two = 2;\n' },
    place: 'a-folder.spec.ts:1',
    says: /; write '\.\/kept\/more\/index\.ts': Node needs the whole name; /,
  },
  'no such file': {
    source: "import { one } from './kept/none.ts';\nvoid one;\n",
    place: 'no-such-file.spec.ts:1',
    says: /; there is no such file; correct the path; /,
  },
  'a name that is not exported': {
    source: "import { three } from './kept/one.ts';\nvoid three;\n",
    place: 'a-name-that-is-not-exported.spec.ts:1',
    says: /does not provide an export named 'three'; correct it; /,
  },
  'types that stay': {
    source: '\nenum Language { en }\nvoid Language;\n',
    place: 'types-that-stay.spec.ts:2',
    says: /enum is not supported/,
  },
  'JSON that is none': {
    source: "import data from './kept/half.json' with { type: 'json' };\nvoid data;\n",
    files: { 'kept/half.json': '{"language":' },
    place: 'json-that-is-none.spec.ts:1',
    says: /half\.json/,
  },
  'a helper that throws': {
    source: "import './kept/broken.ts';\n",
    files: { 'kept/broken.ts': "\nthrow new Error('at the top');\n" },
    place: 'broken.ts:2',
    says: /^the file does not load: Error: at the top; correct it; /,
  },
  'a helper that ends the process': {
    source: "import './kept/ending.ts';\n",
    files: { 'kept/ending.ts': "import { exit } from 'node:process';\nexit(0);\n" },
    place: 'ending.ts:2',
    says: /^process\.exit would end the whole run; remove it, or throw an error$/,
  },
  'a promise at the top that is rejected': {
    source: "import './kept/one.ts';\nPromise.reject(new Error('at once'));\n",
    place: 'a-promise-at-the-top-that-is-rejected.spec.ts:2',
    says: /^a promise was rejected, and nothing waits for it: Error: at once; await it/,
  },
};
const fileOf = (title: string) => `${title.toLowerCase().replaceAll(' ', '-')}.spec.ts`;

let results: readonly ScenarioResult[];
let titles: readonly string[];
let ended: { readonly code: number; readonly said: string };
before(async () => {
  const mistaken = mistakenSpecs.map((row, index) => [name(index), specText(row, '../../fixtures.ts')]);
  const unloaded = Object.entries(notLoading).flatMap(([title, { source, files = {} }]) => [
    [fileOf(title), source],
    ...Object.entries(files),
  ]);
  const good = `import { scenario } from '../../fixtures.ts';\n${innocent}`;
  writeFiles(folder, { ...Object.fromEntries([...mistaken, ...unloaded]), 'good.spec.ts': good });
  const fixtures = JSON.stringify(join(projectRoot, 'fixtures/index.ts'));
  writeFiles(own.folder, { 'package.json': { type: 'module' }, 'fixtures.ts': `export * from ${fixtures};\n` });
  const program = join(projectRoot, 'src/testing/programs/play-folder.ts');
  const child = startProgram(process.execPath, [program, folder, 'one'], {
    env: { ...plainEnvironment(), ...own.env },
  });
  assert.equal(await child.ended, 0, child.said());
  const [, json = ''] = /(\{"titles":.*)/s.exec(child.said()) ?? [];
  const { code, ...played } = JSON.parse(json);
  ({ results, titles } = played);
  ended = { code, said: child.said() };
});

const mistaken = (file: string) =>
  results.filter((each) => each.file === join(folder, file) && each.verdict !== 'passed');

function assertSaid(file: string, place: string, says: RegExp): void {
  const [only, ...others] = mistaken(file);
  assert.deepEqual(others, []);
  assert.deepEqual([only?.verdict, only?.curl], ['unknown', undefined]);
  const reason = (only?.reason ?? '').replace(/^the suite could not judge: /, '');
  assert.equal(reason.slice(0, place.length), place, reason);
  assert.match(reason.slice(place.length), says);
  assert.doesNotMatch(reason, /\b(src|fixtures)\/[\w-]+\/|bug/);
}

for (const [index, row] of mistakenSpecs.entries())
  test(`${row.title}: unknown, with file, line and cure (${index})`, () =>
    assertSaid(name(index), `tests/scenarios/${name(index)}:${row.line}: `, row.says));

for (const [title, { place, says }] of Object.entries(notLoading))
  test(`${title}: the file is unknown, with line and cure`, () => {
    const at = place.includes('.spec.') ? `tests/scenarios/${place}: ` : `${place}: `;
    assertSaid(fileOf(title), at, says);
  });

test('the mistakes of others take no scenario away, and the run could not judge', () => {
  const good = results.filter(({ title }) => title.startsWith('good '));
  assert.equal(good.map(({ verdict }) => verdict).join(), good.map(() => 'passed').join());
  assert.deepEqual([good.length, results.length], [30, titles.length]);
  assert.equal(ended.code, 3);
  assert.doesNotMatch(ended.said, /It came when its scenario had ended/);
});

test('titles stay unique, whatever is declared', () => {
  assert.equal(new Set(titles).size, titles.length);
});
