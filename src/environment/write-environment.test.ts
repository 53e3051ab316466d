import assert from 'node:assert/strict';
import {
  chmodSync,
  copyFileSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, test } from 'node:test';
import { seeded } from '../../reference-service/index.ts';
import { importSource } from '../cli/import/import-variables.ts';
import { textSource } from '../cli/import/read-source.ts';
import { areaIds, areas, effects } from '../service/index.ts';
import { ownFolder } from '../testing/servers/own-service.ts';
import { attempt, loadEnvironment } from './index.ts';
import { projectRoot } from './project-root.ts';
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

const committed = { folder: join(projectRoot, 'environments'), processEnvironment: {} };

test('environments/local.env names what the reference service is seeded with', () => {
  const { caller: own, friend: other, data, allowedEffects } = loadEnvironment('local', committed);
  const { client, caller, friend, story, flag, source, items } = seeded;
  assert.deepEqual(
    {
      client: { clientId: own.clientId, apiKey: own.apiKey?.reveal() },
      caller: { userId: own.userId, accessToken: own.accessToken?.reveal() },
      friend: { userId: other.userId, accessToken: other.accessToken?.reveal() },
      story: data.storyId,
      flag: data.flagKey,
      source: { clientId: data.fromClientId, typeName: data.typeName, typeVersion: data.typeVersion },
      items: data.storedItemIds,
    },
    { client, caller, friend, story, flag: flag.key, source, items },
  );
  assert.deepEqual([...allowedEffects], [...effects]);
});

test('the example is refused until every placeholder in it is filled in', () => {
  const filling = ownFolder();
  copyFileSync(join(committed.folder, 'example.env.template'), join(filling, 'example.env'));
  const found = attempt(() => loadEnvironment('example', { ...committed, folder: filling }));
  const refused = [...String(found).matchAll(/^ +(\w+) +is still the placeholder/gm)].map(([, key]) => key);
  const addresses = areaIds.map((area) => areas[area].addressKey);
  assert.deepEqual(refused, [...addresses, 'CLIENT_ID', 'USER_ID', 'APP_BUNDLE', 'APP_ENV']);
});
