import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SharedBody } from '../../../serving/index.ts';
import { recentPages } from './recent-pages.ts';

interface Asked {
  readonly at: number;
  readonly name?: string;
  /** Another one after a change of a state. */
  readonly edition?: string;
}

const rows: [name: string, asked: readonly Asked[], drawings: string][] = [
  ['many readers within a second', [{ at: 0 }, { at: 1 }, { at: 999 }, { at: 1_000 }], '1 1 1 2'],
  ['each filter is a page', [{ at: 0 }, { at: 1, name: '/?state=bad' }, { at: 2 }], '1 2 1'],
  [
    'a state changed',
    [{ at: 0 }, { at: 249, edition: 'next' }, { at: 250, edition: 'next' }, { at: 1_249, edition: 'next' }],
    '1 1 2 2',
  ],
  [
    'few pages are kept, the latest',
    [
      ...Array.from({ length: 17 }, (_, n) => ({ at: 0, name: `/?text=${n}` })),
      ...[16, 1, 0].map((n) => ({ at: 0, name: `/?text=${n}` })),
    ],
    `${Array.from({ length: 17 }, (_, n) => n + 1).join(' ')} 17 2 18`,
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
  return async ({ at, name = '/', edition = '' }: Asked) => {
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
  assert.deepEqual(await Promise.all([take({ at: 0 }), take({ at: 0 })]), ['1', '1']);
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
