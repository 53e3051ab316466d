import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KnownScenario } from '../history/scenarios.ts';
import { scenarioKey } from '../status/flip.ts';
import { unseen } from '../status/status.ts';
import { ScenarioMemory } from './scenario-memory.ts';

const known = (id: number, environment: string, title: string, firstRun = 0): KnownScenario => ({
  id,
  environment,
  title,
  area: 'friends',
  effect: 'read',
  firstRun,
  standing: unseen,
});

test('every list has a scenario as it stands now, at the place where it was first', () => {
  const memory = new ScenarioMemory();
  const all = [known(1, 'east', 'block'), known(2, 'west', 'block'), known(3, 'east', 'love')];
  memory.set(known(4, 'east', 'an earlier title'));
  for (const each of all) memory.monitor(each);
  const later = known(1, 'east', 'block', 5);
  memory.set(later);
  assert.deepEqual(memory.monitored, [later, all[1], all[2]]);
  assert.deepEqual([memory.get(later), memory.find(known(9, 'west', 'love'))], [later, undefined]);
  assert.deepEqual([...memory.all].map(scenarioKey).sort(), [
    'east\nan earlier title',
    'east\nblock',
    'east\nlove',
    'west\nblock',
  ]);
  assert.throws(() => memory.get({ environment: 'west', title: 'love' }), /"love" of west is not a known scenario/);
});
