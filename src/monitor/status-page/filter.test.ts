import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addressOf, type Filter, filterOf, isFiltering, matches } from './filter.ts';
import type { ScenarioView } from './view.ts';

const rows: [query: string, filter: Filter, address: string][] = [
  ['', { page: 1 }, '/'],
  ['page=3', { page: 3 }, '/?page=3'],
  ['page=-1', { page: 1 }, '/'],
  ['page=x', { page: 1 }, '/'],
  ['area=friends&state=bad', { area: 'friends', state: 'bad', page: 1 }, '/?area=friends&state=bad'],
  ['area=nowhere&state=well&text=', { page: 1 }, '/'],
  [
    'environment=a+b%26c&text=+Block+',
    { environment: 'a b&c', text: 'block', page: 1 },
    '/?environment=a+b%26c&text=block',
  ],
];

test('the address says what is shown, and what it does not know is left out', () => {
  for (const [query, filter, address] of rows) {
    assert.deepEqual(filterOf(new URLSearchParams(query)), filter, query);
    assert.equal(addressOf(filter), address);
    assert.equal(isFiltering(filter), Object.keys(filter).length > 1, query);
  }
});

const view = {
  known: { environment: 'staging', area: 'friends', title: 'Block, then list' },
  shown: 'degraded',
} as unknown as ScenarioView;

test('a scenario is shown where everything that is asked for fits', () => {
  const found: [Partial<Filter>, boolean][] = [
    [{}, true],
    [{ environment: 'staging', area: 'friends', state: 'bad', text: 'then' }, true],
    [{ environment: 'production' }, false],
    [{ area: 'stories' }, false],
    [{ state: 'down' }, false],
    [{ state: 'degraded' }, true],
    [{ text: 'unblock' }, false],
  ];
  for (const [filter, expected] of found)
    assert.equal(matches(view, { page: 1, ...filter }), expected, JSON.stringify(filter));
});
