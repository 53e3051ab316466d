import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EventLog } from './event-log.ts';

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
