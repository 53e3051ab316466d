import assert from 'node:assert/strict';
import { test } from 'node:test';
import { layerOf, layers } from './allowed.ts';
import { layerComplaints } from './complaints.ts';
import { importsOf } from './imports-of.ts';

const names = Object.keys(layers);

test('every layer imports only layers above its line, so that no two import each other', () => {
  for (const [index, name] of names.entries()) {
    const { mayImport } = layers[name] ?? { mayImport: [] };
    if (mayImport === 'everything') continue;
    const notAbove = mayImport.filter((each) => !names.slice(0, index).includes(each));
    assert.deepEqual(notAbove, [], `${name} may import only layers on the list that stand below it`);
  }
});

test('the root has nine rooms at most', () => {
  const rooms = new Set(names.filter((name) => name.endsWith('/')).map((name) => name.split('/')[0]));
  assert.ok(rooms.size <= 9, [...rooms].join(', '));
});

const files: [file: string, layer: string | undefined][] = [
  ['src/client/http/wire.ts', 'src/client/'],
  ['src/client/calls/session.test.ts', '**/*.test.ts'],
  ['src/testing/monitor/fakes.ts', 'src/testing/'],
  ['tests/auth/header-cases.ts', 'tests/*/*-cases.ts'],
  ['tests/auth/headers.spec.ts', 'tests/'],
  ['playwright.config.ts', '*.ts'],
  ['src/lonely.ts', undefined],
  ['src/kitchen/sink.ts', undefined],
  ['kitchen/sink.ts', undefined],
];
for (const [file, layer] of files)
  test(`${file} is of ${layer ?? 'no layer'}`, () => assert.equal(layerOf(file), layer));

// What may be imported is in the project, and `npm run check` finds nothing against it.
const imports: [from: string, to: string, complaint: RegExp][] = [
  [
    'src/client/calls/call.ts',
    'src/scenario/specs/tags.ts',
    /call\.ts:1: src\/client\/ may not import src\/scenario\/specs\/tags\.ts\. .*interface/,
  ],
  ['src/client/calls/call.ts', 'src/config/index.ts', /It may import schemas\/, src\/spec\//],
  ['reference-service/index.ts', 'src/client/index.ts', /reference-service\/ may not import/],
  ['schemas/index.ts', 'src/spec/index.ts', /nothing of the project/],
  ['src/spec/index.ts', 'src/client/index.ts', /src\/spec\/ may not/],
  ['src/survey/index.ts', 'src/monitor/index.ts', /src\/survey\/ may not/],
  ['src/cli/sextant.ts', 'tools/check.ts', /src\/cli\/ may not/],
  ['tests/scenarios/a.spec.ts', 'src/scenario/index.ts', /A spec imports only from fixtures\//],
  ['tests/auth/header-cases.ts', 'src/monitor/index.ts', /-cases\.ts may not/],
  ['fixtures/index.ts', 'tests/auth/header-cases.ts', /fixtures\/ may not/],
  ['src/runner/index.ts', 'src/testing/servers/call-service.ts', /contains test helpers/],
  ['src/runner/run.test.ts', 'src/runner/other.test.ts', /Move what both need to src\/testing\//],
  ['src/testing/servers/call-service.ts', 'src/runner/other.test.ts', /may not import/],
  ['playwright.config.ts', 'src/monitor/index.ts', /\*\.ts may not import/],
];
for (const [file, target, expected] of imports) {
  test(`${file} → ${target}: ${expected}`, () => {
    // A second importer, so that nothing is imported only by tests.
    const complaints = layerComplaints(
      [file],
      [
        { file, line: 1, target },
        { file: 'src/cli/x.ts', line: 1, target },
      ],
    );
    const own = complaints.filter((complaint) => complaint.startsWith(file));
    assert.match(own.join('\n'), expected);
  });
}

test('a folder that is not on the list fails, once, with the cure', () => {
  assert.deepEqual(layerComplaints(['kitchen/a.ts', 'kitchen/b/c.ts', 'src/attic/d.ts', 'src/lonely.ts'], []), [
    ...['kitchen/', 'src/attic/', 'src/'].map(
      (folder) =>
        `${folder}: it is not on the list of layers. Add a line to tools/layers/allowed.ts with its contents and its allowed imports, below those; then run \`npm run pages\`.`,
    ),
  ]);
});

test('a file that only tests import is not part of the program', () => {
  const byTest = { file: 'src/runner/a.test.ts', line: 1, target: 'src/runner/helper.ts' };
  assert.match(layerComplaints([], [byTest]).join(), /src\/runner\/helper\.ts: only tests import it/);
  assert.deepEqual(layerComplaints([], [byTest, { ...byTest, file: 'src/runner/index.ts' }]), []);
});

test('every kind of import is seen, of types too; packages and texts are none', () => {
  const text = [
    "import type { A } from '../a.ts';",
    "import './b.ts';",
    "export * from './c.ts';",
    "export type { D } from './d.ts';",
    "const e = await import('./e.ts');",
    "type F = import('./f.ts').F;",
    "import g from 'node:fs';",
    'const h = "import i from \'./i.ts\'";',
    "ownModule('src/z/loaded');",
    'export { e };',
  ].join('\n');
  assert.deepEqual(
    importsOf('src/x/y.ts', text).map(({ line, target }) => `${line} ${target}`),
    ['1 src/a.ts', '2 src/x/b.ts', '3 src/x/c.ts', '4 src/x/d.ts', '5 src/x/e.ts', '6 src/x/f.ts', '9 src/z/loaded.ts'],
  );
});
