import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { test } from 'node:test';
import type { SharedBody } from '../../../serving/index.ts';
import { recentPages, tellPages } from './live.ts';

/** When which page is asked for; another edition after a change of a state. */
type Asked = readonly [at: number, name?: string, edition?: string];

const seventeen = Array.from({ length: 17 }, (_, n) => n);
const rows: [name: string, asked: readonly Asked[], drawings: string][] = [
  ['many readers within a second', [[0], [1], [999], [1_000]], '1 1 1 2'],
  ['each filter is a page', [[0], [1, '/?state=bad'], [2]], '1 2 1'],
  ['a state changed', [[0], [249, '/', 'next'], [250, '/', 'next'], [1_249, '/', 'next']], '1 1 2 2'],
  [
    'few pages are kept, the latest',
    [...seventeen, 16, 1, 0].map((n) => [0, `/?text=${n}`]),
    `${seventeen.map((n) => n + 1).join(' ')} 17 2 18`,
  ],
];

/** Pages that are numbered as they are drawn. */
function numbered() {
  const state = { at: 0, edition: '' };
  let drawings = 0;
  const take = recentPages(
    () => state.edition,
    () => state.at,
  );
  return async ([at, name = '/', edition = '']: Asked) => {
    Object.assign(state, { at, edition });
    const page = await take(name, 'text/html', () => String(++drawings));
    const { body } = page ?? assert.fail();
    return (await (body as SharedBody).for()).body.toString();
  };
}

for (const [name, asked, expected] of rows)
  test(`a page is drawn once a second at most, and when a state changed: ${name}`, async () => {
    const take = numbered();
    const got: string[] = [];
    for (const each of asked) got.push(await take(each));
    assert.equal(got.join(' '), expected);
  });

test('readers who ask at the same time share one drawing', async () => {
  const take = numbered();
  assert.deepEqual(await Promise.all([take([0]), take([0])]), ['1', '1']);
});

test('what could not be drawn is drawn for the next reader', async () => {
  const take = recentPages(
    () => '',
    () => 0,
  );
  await assert.rejects(
    take('/', '', () => assert.fail('the history is damaged')),
    /the history is damaged/,
  );
  assert.equal(await take('/', '', () => undefined), undefined);
});

/** A listener of whom so many bytes are unread. */
function listener(writableLength = 0) {
  const seen = { texts: [] as string[], isDestroyed: false, isEnded: false };
  const response = {
    writableLength,
    write: (text: string) => seen.texts.push(text),
    destroy: () => {
      seen.isDestroyed = true;
    },
    on: () => response,
    end: () => {
      seen.isEnded = true;
    },
  };
  return { seen, response: response as unknown as ServerResponse };
}

test('readers hear of the edition as they come, and of another one once for all changes of half a second', (t) => {
  t.mock.timers.enable({ apis: ['setInterval', 'setTimeout'] });
  let edition = 'e-1';
  const live = tellPages(() => edition);
  const [reading, stuck] = [listener(), listener(100_000)];
  for (const { response } of [reading, stuck]) live.add(response);
  const told = () => reading.seen.texts.join('').match(/(?<=^data: ).*/gm);
  assert.deepEqual(told(), ['e-1']);
  for (const next of ['e-2', 'e-3', 'e-3']) {
    edition = next;
    live.look();
  }
  t.mock.timers.tick(500);
  live.look();
  t.mock.timers.tick(500);
  assert.deepEqual(told(), ['e-1', 'e-3']);
  assert.deepEqual([reading.seen.isDestroyed, stuck.seen.isDestroyed], [false, true], 'who reads nothing is let go');
  for (let more = 0; more < 300; more++) live.add(listener().response);
  assert.equal(live.isFull, true);
  live.stop();
  assert.deepEqual([reading.seen.isEnded, live.isFull], [true, false]);
});
