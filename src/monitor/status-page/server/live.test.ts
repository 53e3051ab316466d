import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { Changes, type ChangesOptions } from './changes.ts';
import { EventLog } from './live.ts';

test('of each key only the last event is kept, in the order of the last ones', () => {
  const log = new EventLog();
  const start = log.last;
  for (const key of ['a', 'b', 'a']) log.add({ name: 'figures', key, data: {} });
  assert.deepEqual(
    log.since(start)?.map(({ id, key }) => `${id} ${key}`),
    ['2 b', '3 a'],
  );
  assert.deepEqual(
    log.since(log.idOf(2))?.map(({ key }) => key),
    ['a'],
  );
  assert.deepEqual(log.since(log.last), []);
});

test('an id that the log can not continue from is not continued from', () => {
  const log = new EventLog();
  const [process] = log.last.split('-');
  for (const id of ['', '-', 'abcdefabcdef-0', `${log.last}x`, `${process}-`, `${process}-1.5`, `${process}--1`])
    assert.equal(log.since(id), undefined, id);
  const early = log.last;
  for (let key = 0; key <= 10_000; key++) log.add({ name: 'figures', key: String(key), data: {} });
  assert.equal(log.since(early), undefined, 'the first event was forgotten');
  assert.equal(log.since(log.idOf(1))?.length, 10_000);
});

/** Changes of a board without scenarios, and how often it was looked at since. */
function looks(t: TestContext) {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  let count = 0;
  const board = {
    changedSince() {
      count++;
      return [];
    },
  };
  const options = { board, recorder: { incidents: { open: [] } }, live: {}, onFlips: () => {} };
  const changes = new Changes(options as unknown as ChangesOptions);
  const before = count;
  return { changes, count: () => count - before };
}

test('changes of half a second are looked at together', (t) => {
  const { changes, count } = looks(t);
  changes.look();
  changes.look();
  assert.equal(count(), 0);
  t.mock.timers.tick(500);
  assert.equal(count(), 1);
  changes.look();
  t.mock.timers.tick(500);
  assert.equal(count(), 2);
});

test('what is recorded while the monitor stops is not looked at, because the history is closed soon', (t) => {
  const { changes, count } = looks(t);
  changes.look();
  t.mock.timers.tick(500);
  changes.stop();
  changes.look();
  t.mock.timers.tick(5_000);
  assert.equal(count(), 1);
});
