import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { seeded } from '../../reference-service/index.ts';
import { areaIds, areas, effects } from '../spec/index.ts';
import { loadEnvironment } from './index.ts';
import { projectRoot } from './project-root.ts';

test('environments/local.env names what the reference service is seeded with', () => {
  const { caller, friend, data, allowedEffects } = loadEnvironment('local', {
    folder: join(projectRoot, 'environments'),
    processEnvironment: {},
  });
  assert.deepEqual(
    {
      clientId: caller.clientId,
      apiKey: caller.apiKey?.reveal(),
      caller: { userId: caller.userId, accessToken: caller.accessToken?.reveal() },
      friend: { userId: friend.userId, accessToken: friend.accessToken?.reveal() },
      story: data.storyId,
      flag: data.flagKey,
      source: { clientId: data.fromClientId, typeName: data.typeName, typeVersion: data.typeVersion },
      items: data.storedItemIds,
    },
    {
      ...seeded.client,
      caller: seeded.caller,
      friend: seeded.friend,
      story: seeded.story,
      flag: seeded.flag.key,
      source: seeded.source,
      items: seeded.items,
    },
  );
  assert.deepEqual([...allowedEffects], [...effects]);
});

test('the example is refused until every placeholder in it is filled in', () => {
  const load = () => loadEnvironment('example', { folder: join(projectRoot, 'environments'), processEnvironment: {} });
  const refused = (error: unknown) =>
    [...String(error).matchAll(/^ +(\w+) +is still the placeholder/gm)].map(([, key]) => key);
  assert.throws(load, (error) => {
    const given = [...areaIds.map((area) => areas[area].addressKey), 'CLIENT_ID', 'USER_ID', 'APP_BUNDLE', 'APP_ENV'];
    assert.deepEqual(refused(error), given);
    return true;
  });
});
