import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { seeded } from '../../reference-service/index.ts';
import { effects } from '../spec/index.ts';
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

for (const name of ['staging', 'production']) {
  test(`${name} is an example that is refused until its addresses are filled in`, () => {
    const load = () => loadEnvironment(name, { folder: join(projectRoot, 'environments'), processEnvironment: {} });
    assert.throws(load, /FRIEND_URL +is still the placeholder/);
  });
}
