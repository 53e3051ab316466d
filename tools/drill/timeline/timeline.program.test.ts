import assert from 'node:assert/strict';
import { test } from 'node:test';
import { problemsOf, runTimeline } from './play.ts';
import { services } from './services.ts';

// Every cell of docs/timeline.md is played by `npm run drill:timeline`. Here each operation and each way to break it is met in
// turn, on every service: another part of the table on each. No share divides the number of ways, so that all of them are met.
const SHARE: Readonly<Record<string, number>> = { reference: 13, 'reference, repeats refused': 9 };
const OTHERS = 31;

/** It plays all services at once, some minutes on a busy machine. */
const timeout = 12 * 60_000;

test('what is broken is said at each look, no retry hides it, and what is repaired is green without help', {
  timeout,
}, async () => {
  const tasks = Object.keys(services).map((service, index) => {
    const of = SHARE[service] ?? OTHERS;
    return { service, from: index % of, of };
  });
  const found = await runTimeline(tasks);
  assert.deepEqual([...found.keys()].sort(), Object.keys(services).sort());
  for (const [service, cells] of found)
    for (const cell of cells)
      assert.deepEqual(problemsOf(cell), [], `${service}: ${cell.fault}\n${cell.detail.join('\n')}`);
});
