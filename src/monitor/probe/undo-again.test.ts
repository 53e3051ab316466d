import assert from 'node:assert/strict';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { journalFolder, undoLock } from '../../scenario/journal/journal.ts';
import { FakeClock } from '../../testing/monitor/fake-clock.ts';
import { safetyBench } from '../../testing/safety-bench.ts';
import { undoAgain } from './undo-again.ts';

const { arrivals, leaveBehind, own, pending, reversible } = await safetyBench();

/** Waits until everything is undone, and the undoing over. */
async function undone(): Promise<void> {
  const left = () => pending().length;
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
  await leaveBehind({ args: { friendId: 'ben' } });
  const early = await arrivals.during(() => clock.pass(599_000));
  assert.deepEqual(early, []);
  await clock.pass(1_000);
  await undone();
  await leaveBehind({ args: { friendId: 'cleo' } });
  const later = await arrivals.during(async () => {
    await clock.pass(600_000);
    await undone();
  });
  assert.equal(later.filter(({ path }) => path.endsWith('/unblock')).length, 1);
  await end();
  await leaveBehind({ args: { friendId: 'dora' } });
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
  assert.match(said[1] ?? '', /^Undo failed: .*a\.jsonl \(the state that outlives a run\) is not a regular file/);
  rmSync(journalFolder(own.name), { recursive: true });
  mkdirSync(journalFolder(own.name), { recursive: true });
  writeFileSync(join(journalFolder(own.name), 'a.jsonl'), '');
  await leaveBehind({ args: { friendId: 'ben' } });
  await clock.pass(600_000);
  await undone();
});
