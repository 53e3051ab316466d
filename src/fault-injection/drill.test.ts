import assert from 'node:assert/strict';
import { test } from 'node:test';
import { faults, variants } from '../../reference-service/index.ts';
import { scenarios } from '../runner/index.ts';
import { drillHere } from './drill.ts';
import { redOnReference } from './on-reference.ts';

async function reds(name: string): Promise<string[]> {
  const changes = [...faults, ...variants].filter((change) => change.name === name);
  const found: string[] = [];
  await drillHere(changes, { scenarios: await scenarios(), seed: 'test' }, (_, { red }) =>
    found.push(...red.map(({ title }) => title)),
  );
  return found;
}

test('an active fault makes its scenario fail', async () => {
  assert.ok((await reds('unblock-does-nothing')).includes('block, then list, then unblock'));
});

test('with the names of scenarios, these alone are played', async () => {
  const title = 'block, then list, then unblock';
  const changes = faults.filter(({ name }) => name === 'unblock-does-nothing');
  const only = { 'unblock-does-nothing': [title] };
  await drillHere(changes, { scenarios: await scenarios(), seed: 'test', only }, (_, { ran, red }) =>
    assert.deepEqual([ran, red.map((each) => each.title)], [[title], [title]]),
  );
});

test('no scenario fails on a valid variant', async () => assert.deepEqual(await reds('unblock-returns-204'), []));

test('no scenario fails on the reference service', async () => {
  assert.deepEqual(await redOnReference((await scenarios()).map(({ title }) => title)), []);
});
