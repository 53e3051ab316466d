import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NoPlace, ProbeQueue } from './probe-queue.ts';

/** Enters in turn, and logs who is in. */
function bench(concurrency: number, waiting: number) {
  const queue = new ProbeQueue({ concurrency, waiting });
  const entered: string[] = [];
  const leaves = new Map<string, () => void>();
  const enter = (name: string, key?: string, signal = new AbortController().signal) =>
    queue.enter(key, signal).then((leave) => {
      entered.push(name);
      leaves.set(name, leave);
    });
  const leave = async (name: string) => {
    leaves.get(name)?.();
    await new Promise(setImmediate);
  };
  return { queue, entered, enter, leave };
}

test('as many run as may, the others in the order of their arrival', async () => {
  const { queue, entered, enter, leave } = bench(2, 10);
  for (const name of 'abcd') void enter(name);
  await leave('');
  assert.deepEqual([entered.join(''), queue.running, queue.waiting], ['ab', 2, 2]);
  await leave('b');
  assert.deepEqual([entered.join(''), queue.running, queue.waiting], ['abc', 2, 1]);
  await leave('a');
  await leave('a');
  assert.deepEqual([entered.join(''), queue.running, queue.waiting], ['abcd', 2, 0]);
});

test('of one key one runs at a time, and it holds nobody else up', async () => {
  const { entered, enter, leave } = bench(2, 10);
  void enter('ada 1', 'ada');
  void enter('ada 2', 'ada');
  void enter('ada 3', 'ada');
  void enter('ben', 'ben');
  await leave('');
  assert.deepEqual(entered, ['ada 1', 'ben']);
  await leave('ben');
  assert.deepEqual(entered, ['ada 1', 'ben']);
  await leave('ada 1');
  assert.deepEqual(entered, ['ada 1', 'ben', 'ada 2']);
});

test('a full queue refuses at once; what gives up makes room', async () => {
  const { queue, enter } = bench(1, 1);
  await enter('a');
  const giving = new AbortController();
  const second = enter('b', undefined, giving.signal);
  await assert.rejects(enter('c'), NoPlace);
  giving.abort(new Error('given up'));
  await assert.rejects(second, /given up/);
  assert.equal(queue.waiting, 0);
  await assert.rejects(enter('d', undefined, giving.signal), /given up/);
});

test('a closed queue refuses what waits and what comes', async () => {
  const { queue, enter, leave } = bench(1, 5);
  await enter('a');
  const second = enter('b');
  queue.close();
  await assert.rejects(second, NoPlace);
  await assert.rejects(enter('c'), NoPlace);
  await leave('a');
  assert.equal(queue.running, 0);
});
