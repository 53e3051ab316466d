import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ProbeQueue } from './probe-queue.ts';

test('as many run as may, in the order of their arrival; of one key one at a time, and it holds nobody else up', async () => {
  const queue = new ProbeQueue({ concurrency: 2, waiting: 10 });
  const entered: string[] = [];
  const leaves = new Map<string, () => void>();
  for (const [name, key] of ['ada 1', 'ada 2', 'ada 3', 'ben', 'cleo'].map((who) => [who, who.split(' ')[0]] as const))
    void queue.enter(key, new AbortController().signal).then((leave) => {
      entered.push(name);
      leaves.set(name, leave);
    });
  const told: string[] = [];
  for (const name of ['', 'ben', 'ada 1', 'cleo', 'ada 2']) {
    leaves.get(name)?.();
    await new Promise(setImmediate);
    told.push(`${entered.join(', ')}; ${queue.waiting} waiting`);
  }
  assert.deepEqual(told, [
    'ada 1, ben; 3 waiting',
    'ada 1, ben, cleo; 2 waiting',
    'ada 1, ben, cleo, ada 2; 1 waiting',
    'ada 1, ben, cleo, ada 2; 1 waiting',
    'ada 1, ben, cleo, ada 2, ada 3; 0 waiting',
  ]);
});
