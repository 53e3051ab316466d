import assert from 'node:assert/strict';
import { chmodSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, test } from 'node:test';
import { ownFolder } from '../testing/servers/own-service.ts';
import { importSource } from './import/import-variables.ts';
import { textSource } from './import/read-source.ts';
import { writeEnvironment } from './write-environment.ts';

const folder = ownFolder();
const imported = importSource(textSource('FRIEND_URL=https://f.test\nAPI_KEY=canary-key\n', '.env'));
const origin = 'Imported from .env.';
beforeEach(() => {
  for (const name of readdirSync(folder)) rmSync(join(folder, name));
});

for (const taken of ['mine.env', 'mine.secret.env'])
  test(`nothing is replaced without force where ${taken} is there: not that file, and not the one beside it`, () => {
    writeFileSync(join(folder, taken), 'KEPT=1\n');
    assert.throws(() => writeEnvironment('mine', imported, { origin, folder }), {
      name: 'ConfigurationError',
      message: new RegExp(`Nothing was written: .*${taken.replace('.', '\\.')} already exists.*--force`),
    });
    assert.deepEqual(readdirSync(folder), [taken]);
    assert.equal(readFileSync(join(folder, taken), 'utf8'), 'KEPT=1\n');
    writeEnvironment('mine', imported, { origin, folder, force: true });
    const text = readFileSync(join(folder, 'mine.env'), 'utf8');
    assert.match(text, /^FRIEND_URL=https:\/\/f\.test$/m);
    assert.match(text, /^# Still missing: .*GAMEDESIGN_URL, PROFILE_URL, .*APP_ENV\.$/m);
    assert.match(text, /^# base address of Game design \(required\)\n# GAMEDESIGN_URL=$/m);
  });

test('secrets are for their owner alone, over a file that was open to all too', {
  skip: process.platform === 'win32',
}, () => {
  writeFileSync(join(folder, 'mine.secret.env'), 'OLD=1\n', { mode: 0o666 });
  chmodSync(join(folder, 'mine.secret.env'), 0o666);
  writeEnvironment('mine', imported, { origin, folder, force: true });
  assert.equal(statSync(join(folder, 'mine.secret.env')).mode & 0o777, 0o600);
  assert.equal(readFileSync(join(folder, 'mine.secret.env'), 'utf8'), 'API_KEY=canary-key\n');
});

test('nothing is written through a symbolic link, whichever file it stands for', {
  skip: process.platform === 'win32',
}, () => {
  const elsewhere = join(folder, 'elsewhere');
  writeFileSync(elsewhere, 'KEPT=1\n');
  for (const name of ['mine.env', 'mine.secret.env']) {
    symlinkSync(elsewhere, join(folder, name));
    assert.throws(() => writeEnvironment('mine', imported, { origin, folder, force: true }), /is a symbolic link/);
    assert.deepEqual(readdirSync(folder).sort(), ['elsewhere', name]);
    assert.equal(readFileSync(elsewhere, 'utf8'), 'KEPT=1\n');
    rmSync(join(folder, name));
  }
});
