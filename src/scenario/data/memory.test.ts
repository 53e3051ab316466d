import assert from 'node:assert/strict';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { operations } from '../../spec/index.ts';
import { fakeExchange } from '../../testing/monitor/fakes.ts';
import { writeFiles } from '../../testing/own-folder.ts';
import { ownFolder } from '../../testing/servers/own-service.ts';
import { testEnvironment } from '../../testing/test-environment.ts';
import { forgetMemory, historyText, memory, recall, subjectOf, wasEverAccepted, writeCounts } from './memory.ts';

const environment = testEnvironment('http://127.0.0.1:1', { STORY_ID: 'story-qa' });
const args = { storyId: 'story-qa' };
const subject = subjectOf(environment, 'love', args);
assert.ok(subject);

const folder = ownFolder();
const useState = (name: string) => {
  process.env.SEXTANT_STATE = join(folder, name);
};

async function love(status: number, startedAt = 1): Promise<void> {
  const { response } = fakeExchange();
  assert.ok(response);
  const call = { operation: { ...operations.love, id: 'love' }, args, changes: new Map(), expected: 'success' };
  const body = { bytes: 0, text: '', json: { ok: true, value: {} } } as const;
  const stand = await memory(environment, () => false)(call as never);
  stand?.ended?.(fakeExchange({ operation: 'love', startedAt, response: { ...response, status, body } }));
}

test('what was accepted is known in its state folder alone: a dry run proves nothing about the real service', async () => {
  useState('real');
  await love(500);
  assert.equal(wasEverAccepted(environment, 'love', args), false);
  useState('dry-run');
  await love(200);
  assert.equal(wasEverAccepted(environment, 'love', args), true);
  useState('real');
  assert.equal(wasEverAccepted(environment, 'love', args), false);
});

test('acceptances are counted, a refusal has a beginning, and all of it can be forgotten', async () => {
  useState('counted');
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

test('what is counted at the end makes no folder again that has been removed', async () => {
  useState('removed');
  for (const startedAt of [1, 2]) await love(200, startedAt);
  rmSync(join(folder, 'removed'), { recursive: true });
  writeCounts();
  assert.equal(existsSync(join(folder, 'removed')), false);
  useState('kept');
  for (const startedAt of [1, 2]) await love(200, startedAt);
  const kept = join(folder, 'kept', 'accepted', `${environment.name}.jsonl`);
  const before = readFileSync(kept, 'utf8');
  writeCounts();
  assert.notEqual(readFileSync(kept, 'utf8'), before);
});

test('a file that gets long is written anew, with what another process wrote since it was read', async () => {
  useState('shared');
  await love(200, 1);
  const file = join(folder, 'shared', 'accepted', `${environment.name}.jsonl`);
  const ours = readFileSync(file, 'utf8');
  const theirs = ours.replace(/^\["[^"]*"/, '["theirs"');
  assert.notEqual(theirs, ours);
  writeFileSync(file, ours + theirs);
  const linesAfter = async (times: number) => {
    // Each outcome turns, so each is a line.
    for (let time = 1; time <= times; time++) await love(time % 2 === 0 ? 200 : 409, time + 1);
    return readFileSync(file, 'utf8').trim().split('\n');
  };
  assert.ok((await linesAfter(1_900)).length > 1_900);
  const lines = await linesAfter(200);
  assert.ok(lines.length < 200, `${lines.length} lines`);
  assert.ok(lines.some((line) => line.startsWith('["theirs"')));
  assert.equal(recall(environment, subject)?.accepted?.count, 1_051);
});

test('a process that only knows refusals takes nothing away of what another saw accepted', async () => {
  const file = (name: string) => join(folder, name, 'accepted', `${environment.name}.jsonl`);
  useState('refusing');
  await love(409, 1);
  useState('accepting');
  await love(200, 2);
  useState('refusing');
  await love(409, 400_000);
  const lines = ['accepting', 'refusing'].map((name) => readFileSync(file(name), 'utf8'));
  for (const [index, order] of [lines, lines.toReversed()].entries()) {
    useState(`both-${index}`);
    writeFiles(folder, { [`both-${index}/accepted/${environment.name}.jsonl`]: order.join('') });
    const known = recall(environment, subject);
    assert.deepEqual([known?.accepted?.last, known?.refused?.last], [2, 400_000]);
  }
});
