import assert from 'node:assert/strict';
import { test } from 'node:test';
import { faults } from '../../reference-service/index.ts';
import { scenarios } from '../runner/index.ts';
import { drillHere } from './drill.ts';
import { redOnReference } from './on-reference.ts';

test('with the names of scenarios, these alone are played', async () => {
  const title = 'block, then list, then unblock';
  const changes = faults.filter(({ name }) => name === 'unblock-does-nothing');
  const only = { 'unblock-does-nothing': [title] };
  await drillHere(changes, { scenarios: await scenarios(), only }, (_, { ran, red }) =>
    assert.deepEqual([ran, red.map((each) => each.title)], [[title], [title]]),
  );
});

test('no scenario fails on the reference service', async () => {
  assert.deepEqual(await redOnReference((await scenarios()).map(({ title }) => title)), []);
});
