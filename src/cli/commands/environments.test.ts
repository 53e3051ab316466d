import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { runInProcess } from '../../testing/programs/run-in-process.ts';
import { ownEnvironments, ownService } from '../../testing/servers/own-service.ts';
import { environmentText, seededData } from '../../testing/test-environment.ts';

const service = await ownService();
const own = ownEnvironments({ good: environmentText(service.addresses, { ...seededData }) });
Object.assign(process.env, own.env);

test('`environments list` says of one that can’t be used what is wrong where, and what examines it', async () => {
  own.write('wrong', environmentText(service.addresses, { FRIEND_URl: 'x' }));
  const { code, out } = await runInProcess(['environments', 'list']);
  rmSync(join(own.environments, 'wrong.env'));
  assert.equal(code, 2, out);
  assert.match(out, /^good +read,reversible,overwriting,irreversible {2}http:/m);
  assert.match(
    out,
    /^wrong +Environment "wrong" can't be used: 1 problem\.\n.*wrong\.env\n +FRIEND_URl .*\n {2}→ npx sextant doctor --env wrong$/m,
  );
});

const misnamed: [file: string, instead: string][] = [
  ['my env.env', 'my-env.env'],
  ['my_env.env', 'my-env.env'],
  ['Größe.secret.env', 'gr-e.secret.env'],
  ['qa.ENV', 'qa.env'],
  ['qa.env.txt', 'qa.env'],
  ['.env', 'staging.env'],
];
for (const [file, instead] of misnamed)
  test(`\`environments list\` names ${file}, which is passed over`, async () => {
    const path = join(own.environments, file);
    writeFileSync(path, '');
    const { code, out } = await runInProcess(['environments', 'list']);
    rmSync(path);
    assert.equal(code, 0, out);
    assert.deepEqual(out.split('\n').slice(-2), [
      `ignored: ${file}: the name of an environment’s file is NAME.env, with up to 64 letters, digits and hyphens; rename the file, e.g. ${instead}`,
      '',
    ]);
  });

test('`environments list` passes over nothing that is right', async () => {
  const right = ['good.secret.env', 'good.facts.json', 'example.env.template'].map((name) =>
    join(own.environments, name),
  );
  for (const path of right) writeFileSync(path, path.endsWith('.json') ? '{"facts":[]}' : '');
  const { out } = await runInProcess(['environments', 'list']);
  for (const path of right) rmSync(path);
  assert.doesNotMatch(out, /ignored: /);
});

test('`environments import` of a file that names no environment asks for a name', async () => {
  const path = join(own.folder, '.env');
  writeFileSync(path, environmentText(service.addresses, { ...seededData }));
  const { code, err } = await runInProcess(['environments', 'import', path]);
  assert.deepEqual([code, err.trim()], [2, '.env names no environment. Choose a name: --name NAME.']);
});

test('Ctrl-C ends `environments check`, and its folder goes', async (t) => {
  const folder = join(own.folder, 'temporary');
  mkdirSync(folder);
  const names = ['TMPDIR', 'TEMP'] as const;
  const earlier = names.map((name) => [name, process.env[name]] as const);
  for (const name of names) process.env[name] = folder;
  t.after(() => {
    for (const [name, value] of earlier)
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
  });
  const before = process.listenerCount('SIGINT');
  const checking = runInProcess(['environments', 'check', 'good']);
  while (process.listenerCount('SIGINT') === before || readdirSync(folder).length === 0) await wait(5);
  process.emit('SIGINT');
  const { code, out, err } = await checking;
  assert.deepEqual([code, err], [130, '']);
  assert.doesNotMatch(out, /what each scenario would send/);
  assert.deepEqual(readdirSync(folder), []);
});
