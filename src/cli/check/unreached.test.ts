import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ScenarioResult } from '../../runner/index.ts';
import { unreachedAfter } from './unreached.ts';

type How = ScenarioResult['unreached'];

const rows: [name: string, before: string[], results: Record<string, How>, after: string[]][] = [
  ['all were reached', ['a'], { a: undefined, b: undefined }, []],
  ['in the order of the check', [], { a: undefined, b: 'not started', c: 'not started' }, ['b', 'c']],
  [
    'what has waited longest comes first',
    ['c', 'b'],
    { a: 'not started', b: 'not started', c: 'not started' },
    ['c', 'b', 'a'],
  ],
  ['what was cut short comes last', ['b'], { a: 'not started', b: 'cut short', c: 'cut short' }, ['a', 'b', 'c']],
  ['a check of another choice keeps what waits', ['x', 'b'], { a: undefined, b: undefined }, ['x']],
];

for (const [name, before, results, after] of rows)
  test(`unreached: ${name}`, () => {
    const all = Object.entries(results).map(([title, unreached]) => ({ title, ...(unreached ? { unreached } : {}) }));
    assert.deepEqual(unreachedAfter(before, all), after);
  });

test('a scenario that never ends in time keeps no other one waiting', () => {
  // Two are started in a check; `long` never ends.
  let waiting: string[] = [];
  const reached = new Set<string>();
  const titles = ['long', 'a', 'b', 'c', 'd'];
  for (let check = 0; check < 4; check++) {
    const rank = (title: string) => (waiting.includes(title) ? waiting.indexOf(title) : waiting.length);
    const order = titles.toSorted((a, b) => rank(a) - rank(b));
    const results = order.map((title, index) => {
      const how = index >= 2 ? 'not started' : title === 'long' ? 'cut short' : undefined;
      if (!how) reached.add(title);
      return { title, ...(how ? { unreached: how as NonNullable<How> } : {}) };
    });
    waiting = unreachedAfter(waiting, results);
  }
  assert.deepEqual([...reached].sort(), ['a', 'b', 'c', 'd']);
});
