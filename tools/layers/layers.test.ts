import assert from 'node:assert/strict';
import { test } from 'node:test';
import { outputs } from '../outputs/allowed.ts';
import { sourceOf } from '../sources.ts';
import { sourceComplaints } from './complaints.ts';
import { importsOf } from './imports-of.ts';
import { importable, stack } from './stack.ts';

test('no two rooms import each other', () => {
  const rooms = Object.keys(stack);
  const upwards = rooms.flatMap((from, at) =>
    importable(from)
      .filter((to) => rooms.indexOf(to) > at)
      .map((to) => `${from} → ${to}`),
  );
  assert.deepEqual(upwards, []);
});

/**
 * Complaints about files with these texts. Leaves out the complaints about files that the list of outputs names, but that are missing here.
 */
function said(texts: Readonly<Record<string, string>>): string[] {
  const complaints = sourceComplaints(new Map(Object.entries(texts)));
  return complaints.filter((complaint) => !complaint.includes(': it has no way out any more.'));
}

/** The text of a file that imports others. Paths are relative to the root. */
const importing = (file: string, ...targets: string[]) =>
  targets.map((target) => `import '${'../'.repeat(file.split('/').length - 1) || './'}${target}';\n`).join('');

// Each of these imports must cause a complaint. Allowed imports need no test: the project has many, and `npm run check` complains about
// none.
const imports: [from: string, to: string, complaint: RegExp][] = [
  [
    'src/call/call.ts',
    'src/scenario/specs/tags.ts',
    /call\.ts:1: call may not import src\/scenario\/specs\/tags\.ts\. .*interface/,
  ],
  [
    'src/call/call.ts',
    'src/environment/index.ts',
    /It may import schemas, service, redaction, http, facts, verdict\. Move/,
  ],
  ['schemas/index.ts', 'src/service/index.ts', /no other room/],
  ['src/redaction/redact.ts', 'src/service/index.ts', /redaction may not import .* no other room/],
  ['reference-service/index.ts', 'src/http/index.ts', /may not import/],
  ['src/run/in-process/run-all.ts', 'reference-service/index.ts', /run may not import/],
  ['src/survey/run-survey.ts', 'src/playwright/index.ts', /survey may not import/],
  ['src/monitor/monitor.ts', 'src/prober/index.ts', /monitor may not import/],
  ['tests/scenarios/a.spec.ts', 'src/scenario/index.ts', /A spec imports only from fixtures\//],
  ['tests/auth/header-cases.ts', 'src/monitor/index.ts', /tables of cases may not/],
  ['fixtures/index.ts', 'tests/auth/header-cases.ts', /fixtures may not/],
  ['src/run/index.ts', 'src/testing/servers/call-service.ts', /contains test helpers/],
  ['src/run/run.test.ts', 'src/run/other.test.ts', /Move what both need to src\/testing\//],
  ['src/testing/servers/call-service.ts', 'src/run/other.test.ts', /may not import/],
  ['src/call/call.ts', 'src/http/wire.ts', /wire\.ts is inside http\. Import it from src\/http\/index\.ts/],
  ['src/cli/a.ts', 'src/call/call.ts', /a\.ts:1: .*call\.ts is inside call\. Import it from src\/call\/index\.ts/],
  ['src/run/a.test.ts', 'src/run/helper.ts', /^src\/run\/helper\.ts: only tests import it/],
];
for (const [file, target, expected] of imports)
  test(`${file} → ${target}: ${expected}`, () =>
    assert.match(said({ [file]: importing(file, target) })[0] ?? '', expected));

test('what the program imports too is no helper of tests', () => {
  const [byTest, byProgram] = ['src/run/a.test.ts', 'src/run/b.ts'];
  const texts = [byTest, byProgram].map((file) => [file, importing(file, 'src/run/helper.ts')]);
  assert.deepEqual(said(Object.fromEntries(texts)), []);
});

test('a folder that is no room fails, once, with the cure', () => {
  const strangers = ['kitchen/a.ts', 'kitchen/b/c.ts', 'src/attic/d.ts', 'src/lonely.ts'];
  assert.deepEqual(
    said(Object.fromEntries(strangers.map((file) => [file, '']))),
    ['kitchen/', 'src/attic/', 'src/'].map(
      (folder) =>
        `${folder}: it is no room of the stack. Add a line to tools/layers/stack.ts, above all that it imports; then run \`npm run pages\`.`,
    ),
  );
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
    importsOf(sourceOf('src/x/y.ts', text)).map(({ line, target }) => `${line} ${target}`),
    ['1 src/a.ts', '2 src/x/b.ts', '3 src/x/c.ts', '4 src/x/d.ts', '5 src/x/e.ts', '6 src/x/f.ts', '9 src/z/loaded.ts'],
  );
});

const waysOut: [text: string, found: string[]][] = [
  ["import { readFileSync, writeFileSync } from 'node:fs';", ['node:fs writeFileSync']],
  ["import { writeFileSync as save } from 'node:fs';", ['node:fs save']],
  ["import fs from 'node:fs';", ['node:fs fs']],
  ["import * as fs from 'fs';", ['fs fs']],
  ["import { appendFile, open } from 'node:fs/promises';", ['node:fs/promises appendFile', 'node:fs/promises open']],
  ["import { DatabaseSync, type StatementSync } from 'node:sqlite';", ['node:sqlite DatabaseSync']],
  ["import { createServer } from 'node:http';", ['node:http createServer']],
  ["import { type ServerResponse, STATUS_CODES } from 'node:http';", []],
  ["const library = import('nodemailer');", ['nodemailer']],
  ["const http = process.getBuiltinModule('node:http');", ['node:http']],
  ["const library = require('nodemailer');", ['nodemailer']],
  ["await fetch('http://a.test');", ['fetch']],
  ["await fetchByRoute(new URL('http://a.test'), {});", ['fetch']],
  ['import { prefetch } from "./a.ts";\nprefetch();', []],
];
for (const [text, found] of waysOut)
  test(`ways out of: ${text.split('\n')[0]}`, () => {
    const complaints = said({ 'src/run/a.ts': text });
    assert.deepEqual(
      complaints.map((line) => /^src\/run\/a\.ts:1: (.*) is a way out .* replaceText/.exec(line)?.[1]),
      found,
    );
    assert.doesNotMatch(
      said({ 'src/run/a.test.ts': text, 'src/testing/a.ts': text, 'tools/a.ts': text }).join(),
      /way out/,
    );
  });

test('any package is a way out of a spec, which has no need of one', () => {
  const text =
    "import 'undici';\nimport { get } from 'undici';\nimport type { A } from 'b';\nawait fetch('http://a.test');";
  const lines = said({ 'tests/auth/a.spec.ts': text }).map((line) => line.split(' is a way out')[0]);
  assert.deepEqual(
    lines,
    ['1: undici', '2: undici get', '4: fetch'].map((found) => `tests/auth/a.spec.ts:${found}`),
  );
});

test('a file that no longer belongs on the list of ways out is named', () => {
  const [known = '', ...others] = Object.keys(outputs);
  const text = "import { writeFileSync } from 'node:fs';\n";
  const texts = new Map([[known, ''], ...others.map((file) => [file, text] as const)]);
  assert.deepEqual(sourceComplaints(texts), [
    `${known}: it has no way out any more. Take its line out of tools/outputs/allowed.ts.`,
  ]);
});
