import assert from 'node:assert/strict';
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { runInProcess } from '../../testing/programs/run-in-process.ts';
import { ownEnvironments, ownService } from '../../testing/servers/own-service.ts';
import { environmentText, seededData } from '../../testing/test-environment.ts';

const service = await ownService();
const own = ownEnvironments({ good: environmentText(service.addresses, { ...seededData }) });
Object.assign(process.env, own.env);

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
