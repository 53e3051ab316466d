import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MINUTE, PlayedOutages } from '../testing/monitor/played-outages.ts';

const DAY = 1_440 * MINUTE;
const START = Date.parse('2026-11-20T12:00:00Z');
const [DOWN, UP, END] = [5, 15, 40];

/** What a channel is told of one outage, by minute, while the calendar is set once. */
function told(jumpMs: number, at: number): { readonly said: readonly string[]; readonly texts: string } {
  const played = new PlayedOutages({ aa: { host: 'h' } });
  try {
    played.start([{ environment: 'aa', title: 'block', area: 'friends' }], START);
    const said: string[] = [];
    let texts = '';
    for (let minute = 0; minute < END; minute++) {
      const now = START + minute * MINUTE + (minute < at ? 0 : jumpMs);
      played.minute(now, () => (minute >= DOWN && minute < UP ? 'broken' : undefined));
      for (const { notice } of played.notices()) {
        said.push(`${minute} ${notice.kind}`);
        texts += JSON.stringify(notice);
      }
    }
    assert.deepEqual(played.recorder.openIncidents, []);
    return { said, texts };
  } finally {
    played.end();
  }
}

const undisturbed = ['5 down', '16 up'];
for (const [way, jumpMs] of [
  ['forward', DAY],
  ['back', -DAY],
] as const)
  for (const [when, at, also] of [
    ['before an outage', 3, []],
    // Nobody knows how long it really was: that it is still down is true.
    ['in an outage', 8, ['8 still']],
    // Its first good run confirms nothing yet.
    ['at its end', UP, ['15 still']],
    ['while its recovery settles', 16, []],
    ['after it', 20, []],
  ] as const)
    test(`a clock that is set a day ${way} ${when}: no false flip, no lost notice, no negative duration`, () => {
      const { said, texts } = told(jumpMs, at);
      assert.deepEqual(
        said,
        [...undisturbed, ...also].toSorted((a, b) => Number(a.split(' ')[0]) - Number(b.split(' ')[0])),
      );
      assert.doesNotMatch(texts, /(?<![\w-])-\d|NaN|Infinity/);
    });

test('without a jump it is the same', () => assert.deepEqual(told(0, 8).said, undisturbed));
