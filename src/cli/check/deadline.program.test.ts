import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { startCommand } from '../../testing/programs/run-command.ts';
import { ownFolder, ownService } from '../../testing/servers/own-service.ts';
import { environmentText, seededData } from '../../testing/test-environment.ts';
import type { CheckDocument } from './json-document.ts';

/** Twice what a check takes here while the service is quick: enough to begin, on any machine. */
let deadlineMs: number;

const folder = ownFolder();
const env = { SEXTANT_ENVIRONMENTS: join(folder, 'environments'), SEXTANT_OUTPUT: join(folder, 'output') };
const service = await ownService();

before(async () => {
  mkdirSync(env.SEXTANT_ENVIRONMENTS);
  const text = environmentText(service.addresses, { ...seededData, ALLOWED_EFFECTS: 'read,reversible' });
  writeFileSync(join(env.SEXTANT_ENVIRONMENTS, 'slow.env'), text);
  const start = performance.now();
  await startCommand(['check', '--env', 'slow'], env).ended;
  deadlineMs = Math.round(Math.max(6_000, 2 * (performance.now() - start)));
  // So that a check needs many times the deadline.
  service.faults.set({ name: 'slow', operation: 'all', arrive: () => async () => wait(deadlineMs / 20) });
});

async function check(): Promise<CheckDocument> {
  const { said, ended } = startCommand(['check', '--env', 'slow', '--json', '--deadline', `${deadlineMs}ms`], env);
  assert.equal(await ended, 0, said());
  return JSON.parse(said().slice(said().indexOf('{\n'))) as CheckDocument;
}

const titled = ({ scenarios }: CheckDocument, isWanted: (each: CheckDocument['scenarios'][number]) => boolean) =>
  scenarios.filter(isWanted).map(({ title }) => title);
const isUnreached = ({ reason }: { readonly reason: string | null }) => reason === 'no time left';

test('a check ends by its deadline, and the next one begins with what was not reached', async () => {
  const start = performance.now();
  const first = await check();
  // A whole check would take several times as long.
  assert.ok(performance.now() - start < 3 * deadlineMs, `it took ${performance.now() - start} ms`);
  assert.ok(first.durationMs < deadlineMs, `${first.durationMs} ms`);
  assert.equal(first.verdict, 'passed');
  const waiting = titled(first, (each) => isUnreached(each) && each.exchanges.length === 0);
  assert.ok(waiting.length > 1, 'it reached everything, so nothing is tested');
  assert.ok(first.scenarios.filter(isUnreached).every(({ verdict }) => verdict === 'skipped'));

  const second = await check();
  const begun = titled(second, ({ exchanges }) => exchanges.length > 0);
  assert.ok(begun.length > 0);
  // Of each area, what waited is begun before what didn't.
  for (const { title, area } of second.scenarios.filter(
    ({ title }) => begun.includes(title) && !waiting.includes(title),
  ))
    for (const other of second.scenarios.filter((each) => each.area === area && waiting.includes(each.title)))
      assert.ok(begun.includes(other.title), `"${title}" was begun before "${other.title}"`);
  assert.ok(begun.some((title) => waiting.includes(title)));
});

test('what was cut short is undone, at the latest by the next check', async () => {
  service.faults.set();
  const { said, ended } = startCommand(['check', '--env', 'slow'], env);
  assert.equal(await ended, 0, said());
  assert.match(said(), /^slow: passed /m);
  assert.doesNotMatch(said(), /no time left|LEFT/);
});
