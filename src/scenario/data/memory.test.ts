import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { operations } from '../../spec/index.ts';
import { fakeExchange, temporaryFolder } from '../../testing/monitor/fakes.ts';
import { testEnvironment } from '../../testing/test-environment.ts';
import { forgetMemory, historyText, memory, noteOutcome, recall, subjectOf, wasEverAccepted } from './memory.ts';

const environment = testEnvironment('http://127.0.0.1:1', { STORY_ID: 'story-qa' });
const args = { storyId: 'story-qa' };
const subject = subjectOf(environment, 'love', args);
assert.ok(subject);

/** Lets each test have state folders of its own, by name. */
function stateFolders(t: TestContext): (name: string) => void {
  const { path, end } = temporaryFolder();
  const before = process.env.SEXTANT_STATE;
  t.after(() => {
    if (before === undefined) delete process.env.SEXTANT_STATE;
    else process.env.SEXTANT_STATE = before;
    end();
  });
  return (name) => {
    process.env.SEXTANT_STATE = join(path, name);
  };
}

/** A love, as the middleware sees it. */
async function love(status: number, startedAt = 1): Promise<void> {
  const { response } = fakeExchange();
  assert.ok(response);
  const call = { operation: { ...operations.love, id: 'love' }, args, changes: new Map(), expected: 'success' };
  const body = { bytes: 0, text: '', json: { ok: true, value: {} } } as const;
  await memory(environment, () => false)(call as never, async () =>
    fakeExchange({ operation: 'love', startedAt, response: { ...response, status, body } }),
  );
}

test('what was accepted is known in its state folder alone: a dry run proves nothing about the real service', async (t) => {
  const use = stateFolders(t);
  use('real');
  await love(500);
  assert.equal(wasEverAccepted(environment, 'love', args), false);
  use('dry-run');
  await love(200);
  assert.equal(wasEverAccepted(environment, 'love', args), true);
  use('real');
  assert.equal(wasEverAccepted(environment, 'love', args), false);
});

test('acceptances are counted, a refusal has a beginning, and all of it can be forgotten', async (t) => {
  stateFolders(t)('one');
  const at = (time: string) => new Date(`2026-11-03T${time}`).getTime();
  const text = () => historyText(recall(environment, subject) ?? { turnedAt: 0 }, 'accepted', at('12:00'));
  for (const time of ['09:00', '10:00', '11:00']) await love(200, at(time));
  assert.equal(text(), 'accepted 3 times since 09:00');
  for (const time of ['11:20', '11:30']) await love(409, at(time));
  assert.equal(text(), 'accepted 3 times since 09:00, refused since 11:20');
  await love(200, at('11:40'));
  assert.equal(text(), 'accepted 4 times since 09:00');
  await love(401, at('11:50'));
  assert.equal(text(), 'accepted 4 times since 09:00', 'a credential that is refused says nothing about the data');
  forgetMemory(environment.name);
  assert.equal(text(), 'never accepted before');
});

test('a changed header that was refused is known by what was changed', (t) => {
  stateFolders(t)('one');
  const changed = { operation: 'evaluate', of: ['app-bundle', 'missing'] } as const;
  noteOutcome(environment, changed, 'refused', 1);
  assert.equal(recall(environment, changed)?.refused?.count, 1);
  assert.equal(recall(environment, { ...changed, of: ['app-bundle', 'empty'] }), undefined);
});
