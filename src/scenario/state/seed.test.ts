import assert from 'node:assert/strict';
import { test } from 'node:test';
import { InventedData } from '../data/test-data.ts';
import { runSeed, scenarioSeed } from './seed.ts';

const made = (seed: string, ...parts: string[]) => new InventedData(scenarioSeed(seed, ...parts)).id();

test('a seed makes the same data for the same scenario, and other data for any other', () => {
  const all = [made('1', 'local', 'a'), made('1', 'local', 'b'), made('1', 'staging', 'a'), made('2', 'local', 'a')];
  assert.equal(made('1', 'local', 'a'), all[0]);
  assert.equal(new Set(all).size, all.length);
});

test('a run takes the seed that was set, and one of its own otherwise', () => {
  assert.equal(runSeed(' 4711 '), '4711');
  assert.match(runSeed(''), /^\d+$/);
});
