import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { runInProcess } from '../../testing/programs/run-in-process.ts';
import { ownFolder } from '../../testing/servers/own-service.ts';

test('init keeps what a folder has, and names all that is in its way', async () => {
  const folder = ownFolder();
  writeFileSync(join(folder, '.gitignore'), '# ours\n\nnode_modules/\n\ndist/');
  writeFileSync(join(folder, 'package.json'), '{"name":"ours"}');
  const begun = await runInProcess(['init', folder]);
  assert.equal(begun.code, 0, begun.err);
  assert.ok(begun.out.includes(`Next:\n- cd ${folder}\n- npm install\n`), begun.out);
  const read = (name: string) => readFileSync(join(folder, name), 'utf8');
  assert.match(
    read('.gitignore'),
    /^# ours\n\nnode_modules\/\n\ndist\/\nresults\/\n(?:.+\n)*environments\/\*\.secret\.env\n$/,
  );
  assert.equal(JSON.parse(read('package.json')).name, 'ours');
  const { code, err } = await runInProcess(['init', folder]);
  assert.equal(code, 2);
  const taken = [
    'environments/staging.env',
    'tests/scenarios/first.spec.ts',
    '.github/workflows/sextant.yml',
    'tsconfig.json',
  ];
  const cure = 'exists already. Name another folder: sextant init FOLDER.';
  assert.equal(err, taken.map((file) => `${file} ${cure}\n`).join(''));
});
