import assert from 'node:assert/strict';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, beforeEach, type TestContext, test } from 'node:test';
import { startService } from '../../../reference-service/index.ts';
import { Journal, journalFolder, undoLock } from '../../scenario/journal/journal.ts';
import { Arrivals } from '../../testing/arrivals.ts';
import { FakeClock } from '../../testing/monitor/fake-clock.ts';
import { pendingChanges } from '../../testing/pending-changes.ts';
import { safetyBench } from '../../testing/safety-bench.ts';
import { undoAgain } from './undo-again.ts';

const service = await startService({ port: 0 });
const arrivals = new Arrivals();
const { forgetAll, own, reversible } = safetyBench(service);
after(async () => {
  await service.stop();
  forgetAll();
});
beforeEach(forgetAll);

async function leftBehind(friendId: string): Promise<void> {
  const journal = new Journal(own.name, 'over');
  const by = {};
  const base = own.addresses.friends.href;
  await journal.add(by, {
    change: 'block',
    undo: 'unblock',
    args: { friendId },
    as: 'caller',
    userId: own.caller.userId,
    base,
  });
  journal.leave(by);
}

/** Waits until everything is undone, and the undoing over. */
async function undone(): Promise<void> {
  const left = () => pendingChanges(own.name).length;
  while (left() > 0 || existsSync(undoLock(own.name))) await new Promise(setImmediate);
  await new Promise(setImmediate);
}

function started(t: TestContext) {
  const clock = new FakeClock();
  const said: string[] = [];
  t.mock.method(process.stderr, 'write', () => true);
  const end = undoAgain({
    environments: [reversible()],
    signal: new AbortController().signal,
    say: (line) => said.push(line),
    clock,
  });
  t.after(end);
  return { clock, said, end };
}

test('what a scenario could not take back is undone after ten minutes, and what comes later ten minutes later', async (t) => {
  const { clock, end } = started(t);
  await leftBehind('ben');
  const early = await arrivals.during(() => clock.pass(599_000));
  assert.deepEqual(early, []);
  await clock.pass(1_000);
  await undone();
  await leftBehind('cleo');
  const later = await arrivals.during(async () => {
    await clock.pass(600_000);
    await undone();
  });
  assert.equal(later.filter(({ path }) => path.endsWith('/unblock')).length, 1);
  await end();
  await leftBehind('dora');
  assert.deepEqual(await arrivals.during(() => clock.pass(3_600_000)), []);
});

test('a journal that can’t be read is said, and tried again', async (t) => {
  const { clock, said } = started(t);
  mkdirSync(join(journalFolder(own.name), 'a.jsonl'), { recursive: true });
  for (const round of [1, 2]) {
    await clock.pass(600_000);
    while (said.length < round) await new Promise(setImmediate);
    await new Promise(setImmediate);
  }
  assert.match(said[1] ?? '', /^Undo failed: .*a\.jsonl \(the undo journal\) is a folder/);
  forgetAll();
  mkdirSync(journalFolder(own.name), { recursive: true });
  writeFileSync(join(journalFolder(own.name), 'a.jsonl'), '');
  await leftBehind('ben');
  await clock.pass(600_000);
  await undone();
});
