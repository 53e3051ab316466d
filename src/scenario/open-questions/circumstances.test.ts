import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Fault } from '../../../reference-service/index.ts';
import { Refusal } from '../../../reference-service/refusal.ts';
import { play } from '../../testing/play.ts';
import { ownService } from '../../testing/servers/own-service.ts';
import { embeddedEnvironment } from '../../testing/test-environment.ts';
import { configuredIn } from '../data/configured-data.ts';

const service = await ownService();
const { provisionUrl: _, ...shared } = embeddedEnvironment(service);

test('what an environment names is distinguished from what the suite invents', () => {
  const keys = (args: unknown) => configuredIn(shared, args).map(({ key }) => key);
  assert.deepEqual(keys({ storyId: shared.data.storyId }), ['STORY_ID']);
  assert.deepEqual(keys({ storyId: 'sextant-12ab' }), []);
  assert.deepEqual(keys({ friendId: shared.friend.userId }), ['FRIEND_USER_ID']);
  assert.deepEqual(keys({ FromClientId: 'client-shipyard', TypeName: 'badge', TypeVersion: '1.48213' }), [
    'FROM_CLIENT_ID',
    'TYPE_NAME',
  ]);
  assert.deepEqual(keys(undefined), []);
});

const storyIsGone: Fault = {
  name: 'story-is-gone',
  operation: 'love',
  handle: () => () => {
    throw new Refusal(404, 'unknown_story', 'there is no such story');
  },
};

test('what was accepted before and is refused now has failed, and the message names both suspects', async () => {
  assert.equal((await play('love, then unlove', shared)).verdict, 'passed');
  service.faults.set(storyIsGone);
  const { verdict, reason = '' } = await play('love, then unlove', shared);
  assert.equal(verdict, 'failed');
  assert.match(
    reason,
    /404 Not Found for STORY_ID=story-lighthouse: love story fails, or the story is gone; accepted \d times since \d\d:\d\d, refused since \d\d:\d\d$/,
  );
});
