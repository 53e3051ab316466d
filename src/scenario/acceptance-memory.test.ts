import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { operations } from '../spec/index.ts';
import { fakeExchange, temporaryFolder } from '../testing/monitor/fakes.ts';
import { testEnvironment } from '../testing/test-environment.ts';
import { acceptanceMemory, wasEverAccepted } from './acceptance-memory.ts';

const environment = testEnvironment('http://127.0.0.1:1', { STORY_ID: 'story-qa' });
const story = [{ key: 'STORY_ID', value: 'story-qa', noun: 'the story' }];

/** A story that the service loves, as the middleware sees it. */
async function love(status: number): Promise<void> {
  const { response } = fakeExchange();
  assert.ok(response);
  const call = {
    operation: { ...operations.love, id: 'love' },
    args: { storyId: 'story-qa' },
    changes: new Map(),
    expected: 'success',
  };
  await acceptanceMemory(environment)(call as never, async () =>
    fakeExchange({
      operation: 'love',
      startedAt: 1,
      response: { ...response, status, body: { bytes: 0, text: '', json: { ok: true, value: {} } } },
    }),
  );
}

test('what was accepted is known in its state folder alone: a dry run proves nothing about the real service', async (t) => {
  const { path, end } = temporaryFolder();
  const before = process.env.SEXTANT_STATE;
  t.after(() => {
    if (before === undefined) delete process.env.SEXTANT_STATE;
    else process.env.SEXTANT_STATE = before;
    end();
  });
  process.env.SEXTANT_STATE = join(path, 'real');
  await love(500);
  assert.equal(wasEverAccepted(environment, 'love', story), false);
  process.env.SEXTANT_STATE = join(path, 'dry-run');
  await love(200);
  assert.equal(wasEverAccepted(environment, 'love', story), true);
  process.env.SEXTANT_STATE = join(path, 'real');
  assert.equal(wasEverAccepted(environment, 'love', story), false);
});
