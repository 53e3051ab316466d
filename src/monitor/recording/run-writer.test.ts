import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeClock } from '../../testing/monitor/fake-clock.ts';
import { fakeEnvironment, fakeResult } from '../../testing/monitor/fakes.ts';
import { troubleOf } from '../history/database.ts';
import type { DroppedRuns, FinishedRun } from './run-rows.ts';
import { RunWriter } from './run-writer.ts';

const environment = fakeEnvironment('e');
const run = (title: string): FinishedRun => ({
  environment,
  observed: { first: fakeResult('passed', 0, { title }) },
  planned: 0,
  intervalMs: 60_000,
});

/** A writer over a recorder that can't write `bad`, or nothing where its disk is full; `transactions` are the titles of each. */
function writing(isFull = false) {
  const clock = new FakeClock();
  const transactions: string[] = [];
  const counts: DroppedRuns[] = [];
  const recordAll = (runs: readonly FinishedRun[], _: number, dropped: readonly DroppedRuns[] = []) => {
    const titles = runs.map(({ observed }) => observed.first.title);
    if (isFull || titles.includes('bad')) throw new Error('can not be written');
    transactions.push(titles.join(' '));
    counts.push(...dropped);
    return runs.map(() => undefined);
  };
  const writer = new RunWriter({ recordAll }, clock);
  const ended: string[] = [];
  const write = (title: string) =>
    void writer.write(run(title)).then(
      () => ended.push(title),
      () => ended.push(`not ${title}`),
    );
  return { clock, transactions, counts, writer, write, ended };
}

test('a run is written at once; those that follow closely wait for each other, and are not done before they are written', async () => {
  const { clock, transactions, write, ended } = writing();
  write('one');
  await clock.pass(100);
  assert.deepEqual([transactions, ended], [['one'], ['one']]);
  write('two');
  await clock.pass(100);
  write('three');
  await clock.pass(49);
  assert.deepEqual([transactions, ended], [['one'], ['one']]);
  await clock.pass(1);
  assert.deepEqual(transactions, ['one', 'two three']);
  assert.deepEqual(ended, ['one', 'two', 'three']);
  await clock.pass(250);
  write('four');
  await clock.pass(0);
  assert.deepEqual(ended.at(-1), 'four');
});

test('the end counts what did not take place since the last write', () => {
  const { counts, writer } = writing();
  const dropped = { scenario: { environment: 'e', title: 'one' }, skipped: 1, missed: 0 };
  writer.drop(dropped);
  writer.end();
  assert.deepEqual(counts, [dropped]);
});

test('what the end can not count is known to be lost', async () => {
  const { writer, write } = writing(true);
  write('one');
  writer.drop({ scenario: { environment: 'e', title: 'one' }, skipped: 1, missed: 2 });
  writer.end();
  assert.deepEqual(writer.lost, { runs: 4, uncounted: 4 });
});

test('one that can not be written is lost alone, and counted with the next one, like those that did not take place', async () => {
  const { clock, transactions, counts, writer, write, ended } = writing();
  for (const title of ['one', 'two', 'three', 'bad']) write(title);
  await clock.pass(250);
  assert.deepEqual(transactions, ['one', 'two', 'three']);
  assert.deepEqual(ended, ['one', 'two', 'three', 'not bad']);
  const scenario = { environment: 'e', title: 'bad' };
  for (const skipped of [1, 2]) writer.drop({ scenario, skipped, missed: 0 });
  await clock.pass(1_000);
  assert.deepEqual([counts, writer.lost], [[], { runs: 1, uncounted: 1 }]);
  for (const title of ['four', 'five']) {
    write(title);
    await clock.pass(250);
  }
  assert.deepEqual([counts, writer.lost], [[{ scenario, skipped: 3, missed: 1 }], { runs: 1, uncounted: 0 }]);
});

test('on a full disk those of a moment are tried together, once, and all are lost', async () => {
  const clock = new FakeClock();
  let tries = 0;
  const recordAll = () => {
    tries++;
    throw troubleOf(Object.assign(new Error('database or disk is full'), { errcode: 13 }), 'h.sqlite');
  };
  const writer = new RunWriter({ recordAll }, clock);
  const ended = ['one', 'two', 'three', 'four'].map((title) => writer.write(run(title)));
  const settled = Promise.allSettled(ended);
  await clock.pass(250);
  assert.ok((await settled).every(({ status }) => status === 'rejected'));
  assert.deepEqual([tries, writer.lost], [2, { runs: 4, uncounted: 4 }]);
});

test('many are written in parts, between which everything else has its turn; the end writes all, and waits for nothing', async () => {
  const { clock, transactions, writer, write, ended } = writing();
  const titles = Array.from({ length: 26 }, (_, index) => `run${index}`);
  for (const title of titles) write(title);
  await clock.pass(250);
  assert.deepEqual(transactions, [titles[0], titles.slice(1, 11).join(' ')]);
  await clock.pass(1);
  assert.deepEqual(transactions.at(-1), titles.slice(11, 21).join(' '));
  writer.end();
  assert.deepEqual(transactions.at(-1), titles.slice(21).join(' '));
  write('late');
  await clock.pass(0);
  assert.deepEqual([transactions.at(-1), ended], ['late', [...titles, 'late']]);
  await clock.pass(1_000);
  assert.equal(transactions.length, 5);
});
