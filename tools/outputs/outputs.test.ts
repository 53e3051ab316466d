import assert from 'node:assert/strict';
import { test } from 'node:test';
import { outputs } from './allowed.ts';
import { outputComplaints, outputsOf } from './check-outputs.ts';

const rows: [text: string, found: string[]][] = [
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

for (const [text, found] of rows)
  test(`ways out of: ${text.split('\n')[0]}`, () => {
    assert.deepEqual(
      outputsOf('a.ts', text).map(({ what }) => what),
      found,
    );
  });

test('a file that is not on the list is named with its line and the cure, and so is one that no longer belongs there', () => {
  const [known = ''] = Object.keys(outputs);
  const text = "import { join } from 'node:path';\nimport { writeFileSync } from 'node:fs';\n";
  const texts = new Map<string, string>(Object.keys(outputs).map((file) => [file, text]));
  assert.deepEqual(outputComplaints(texts), []);
  texts.set('src/new.ts', text).set(known, '');
  const complaints = outputComplaints(texts);
  assert.equal(complaints.length, 2);
  assert.match(complaints[0] ?? '', /^src\/new\.ts:2: node:fs writeFileSync is a way out .* replaceText/);
  assert.ok(complaints[1]?.startsWith(`${known}: it has no way out any more.`));
});
