import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { MaintenanceRule } from '../../environment/index.ts';
import type { Verdict } from '../../verdict/index.ts';
import { maintenanceAt, nextMaintenance } from '../recording/calendar.ts';
import {
  type Change,
  evidenceOf,
  healthOfRun,
  indicatorOf,
  judgeRun,
  passedOnRetry,
  ruleFor,
  statusOf,
  unseen,
} from './status.ts';
import { durationText } from './texts.ts';
import { type Span, uptimeWithin } from './uptime.ts';

const words = { u: 'up', g: 'degraded', d: 'down', '?': 'unknown', s: 'skipped', p: 'unproven' } as const;

/**
 * Plays one run per minute, with a letter for each run: u up, g degraded, d down, ? unknown, s skipped, p unproven. If five minutes pass
 * without a judged run, the scenario is `unjudged`. Returns the changes of status as `minute:from>to@since`, and the final status.
 */
function timeline(letters: string, downAfter: number, upAfter: number, notifiesDegraded = false): string {
  const rule = { downAfter, upAfter, notJudgedAfterMs: 5, notifiesDegraded };
  let standing = unseen;
  const flips: string[] = [];
  const show = (minute: number, { from, to, since }: Change) => `${minute}:${from}>${to}@${since}`;
  for (const [minute, letter] of [...letters].entries()) {
    const judged = judgeRun(standing, words[letter as keyof typeof words], { at: minute, steady: minute }, rule);
    standing = judged.standing;
    if (judged.change) flips.push(show(minute, judged.change));
  }
  const blind = standing.unjudgedSince === undefined ? '' : ` blind@${standing.unjudgedSince}`;
  return `${[...flips, statusOf(standing)].join(' ')}${blind}`;
}

const timelines: [string, number, number, string, string][] = [
  ['', 1, 1, 'pending', 'nothing seen yet'],
  ['uuu', 1, 1, 'up', 'being up at first is not a flip'],
  ['d', 1, 1, '0:pending>down@0 down', 'down from the start is one'],
  ['ud', 1, 1, '1:up>down@1 down', 'DOWN_AFTER=1: at once'],
  ['uduuu', 2, 1, 'up', 'a single failure with DOWN_AFTER=2 is none'],
  ['udduu', 2, 2, '2:up>down@1 4:down>up@3 up', 'since is the first contrary run, both ways'],
  ['uddudud', 2, 2, '2:up>down@1 down', 'UP_AFTER: single good runs do not end it'],
  ['ud?d', 2, 1, '3:up>down@1 down', 'unknown neither continues nor interrupts a streak'],
  ['ud???u', 2, 1, 'up', 'unknown alone never brings it down'],
  ['u???', 1, 1, 'up blind@1', 'time without data is recorded, and is not a flip'],
  ['u??u', 1, 1, 'up', 'and ends with the next judged run'],
  ['ugg', 2, 1, 'degraded', 'slow and drifted are degraded, which is not a flip'],
  ['ugd', 2, 1, 'up', 'until the next run'],
  ['ugdd', 2, 1, '3:up>down@2 down', 'and is no failure: down since its own first run'],
  ['uddgg', 2, 2, '2:up>down@1 4:down>up@3 degraded', 'down to degraded'],
  ['dugu', 1, 2, '0:pending>down@0 2:down>up@1 up', 'and on to up'],
  ['uss?', 1, 1, '1:up>unjudged@1 unjudged blind@1', 'a scenario that can no longer run is not judged, and one flip'],
  ['ss??????s', 1, 1, 'skipped', 'one that never could is a state without a flip'],
  ['ussu', 1, 1, '1:up>unjudged@1 3:unjudged>up@3 up', 'and ends with a run that can be judged'],
  ['usd', 1, 1, '1:up>unjudged@1 2:unjudged>down@2 down', 'whatever that shows'],
  ['gsg', 1, 1, '1:up>unjudged@1 2:unjudged>up@2 degraded', 'slow before and after'],
  ['udssu', 1, 1, '1:up>down@1 4:down>up@4 up', 'what was down and can no longer run has not recovered'],
  ['udsssssss', 1, 1, '1:up>down@1 7:down>unjudged@7 unjudged blind@2', 'after a while it is not judged'],
  ['u??????', 1, 1, '6:up>unjudged@1 unjudged blind@1', 'not judged for too long is a state of its own'],
  ['u??pp??u', 1, 1, '6:up>unjudged@1 7:unjudged>up@7 up', 'for whatever reason, until a run can'],
  ['ud??????ud', 1, 2, '1:up>down@1 7:down>unjudged@2 8:unjudged>up@8 9:up>down@9 down', 'no longer known to be down'],
  ['??????', 1, 1, '5:pending>unjudged@0 unjudged blind@0', 'from the start too'],
  ['ppppppp', 1, 1, 'unproven', 'but what never proved anything is not missed'],
  [
    '??????pp',
    1,
    1,
    '5:pending>unjudged@0 6:unjudged>unproven@6 unproven',
    'whatever kept it from being judged before',
  ],
  [
    'pppdpppp',
    1,
    2,
    '3:unproven>down@3 5:down>unproven@4 unproven',
    'and is no longer down once it proves nothing again',
  ],
  ['dpp', 1, 2, '0:pending>down@0 2:down>unproven@1 unproven', 'also where it was broken from the start'],
  ['pdpdpp', 1, 2, '1:unproven>down@1 5:down>unproven@4 unproven', 'not by a single run'],
  ['udpppppp', 1, 2, '1:up>down@1 7:down>unjudged@2 unjudged blind@2', 'what was up before is missed'],
  ['us????????u', 1, 1, '1:up>unjudged@1 10:unjudged>up@10 up', 'what can no longer run stays that'],
];

test('flips of a scenario over time', () => {
  for (const [letters, downAfter, upAfter, expected, why] of timelines)
    assert.equal(timeline(letters, downAfter, upAfter), expected, `${letters} (${why})`);
});

const slowTimelines: typeof timelines = [
  ['ugu', 1, 1, 'up', 'one slow run is a pause of anybody’s'],
  ['uggu', 1, 1, '2:up>degraded@1 3:degraded>up@3 up', 'two in a row are a flip, since the first'],
  ['ugggg', 3, 1, '3:up>degraded@1 degraded', 'more where a failure needs more'],
  ['uggugu', 1, 2, '2:up>degraded@1 up', 'single good runs do not end it'],
  ['uggdd', 1, 1, '2:up>degraded@1 3:degraded>down@3 down', 'degraded, then down'],
  ['udgg', 1, 1, '1:up>down@1 2:down>up@2 3:up>degraded@2 degraded', 'down, then slow'],
  [
    'ugg??????u',
    1,
    2,
    '2:up>degraded@1 8:degraded>unjudged@3 9:unjudged>up@9 up',
    'what could not be judged starts anew',
  ],
];

test('with NOTIFY_ON=degraded, to be slow is a flip, too', () => {
  for (const [letters, downAfter, upAfter, expected, why] of slowTimelines)
    assert.equal(timeline(letters, downAfter, upAfter, true), expected, `${letters} (${why})`);
});

test('a scenario that runs every ten minutes or less often is up again after one good run', () => {
  const rule = { downAfter: 1, upAfter: 2 };
  assert.deepEqual(ruleFor(rule, 60_000), { ...rule, notJudgedAfterMs: 900_000 });
  assert.deepEqual(ruleFor(rule, 600_000), { downAfter: 1, upAfter: 1, notJudgedAfterMs: 1_800_000 });
  assert.deepEqual(ruleFor({ ...rule, notJudgedAfterMs: 7 }, 60_000), { ...rule, notJudgedAfterMs: 7 });
});

const runRows: [Verdict, Verdict | undefined, string][] = [
  ['passed', undefined, 'up good'],
  ['slow', undefined, 'degraded good'],
  ['drifted', undefined, 'down bad'],
  ['failed', undefined, 'down bad'],
  ['refused', undefined, 'down bad'],
  ['unreachable', undefined, 'down bad'],
  ['unknown', undefined, 'unknown -'],
  ['skipped', undefined, 'unknown -'],
  // A second attempt must not change the indicator, which only the first attempt determines.
  ['failed', 'failed', 'down bad'],
  ['failed', 'unreachable', 'down bad'],
  ['failed', 'passed', 'up bad retried'],
  ['unreachable', 'slow', 'degraded bad retried'],
  ['failed', 'unknown', 'unknown bad'],
];

test('the health that a run shows, from its first attempt and the one that confirms it', () => {
  for (const [first, second, expected] of runRows) {
    const one = { verdict: first };
    const two = second && { verdict: second };
    const words = [healthOfRun(evidenceOf(one, two), unseen), indicatorOf(one) ?? '-'];
    if (passedOnRetry(one, two)) words.push('retried');
    assert.equal(words.join(' '), expected, `${first}, ${second}`);
  }
  assert.equal(evidenceOf({ verdict: 'unknown', lacks: 'data' }), 'skipped');
  assert.equal(evidenceOf({ verdict: 'skipped', unproven: true }), 'unproven');
});

const window = { from: 0, to: 100 };

const anySpans = fc.array(
  // Special cases: a span may end before it began, because somebody set a clock back (it must be ignored), and a span in progress has no
  // end.
  fc.record({
    from: fc.integer({ min: -9, max: 50 }),
    to: fc.oneof(fc.nat(50), fc.constant(Number.POSITIVE_INFINITY)),
  }),
);

test('uptime excludes maintenance and time without data: any spans are counted minute by minute, in the whole and in a window within it', () => {
  const anyWindow = fc.tuple(fc.nat(50), fc.nat(50)).map(([from, length]) => ({ from, to: from + length }));
  fc.assert(
    fc.property(anySpans, anySpans, anySpans, anyWindow, fc.nat(60), (down, maintenance, gaps, part, firstRunAt) => {
      const { ratio, downMs, observedMs, withoutData } = uptimeWithin({ window, firstRunAt, down, maintenance, gaps })(
        part,
      );
      const minutes = Array.from({ length: part.to - part.from }, (_, index) => part.from + index);
      const outside = (all: Span[]) => (minute: number) => !all.some(({ from, to }) => from <= minute && minute < to);
      const planned = minutes.filter(outside(maintenance));
      const observed = planned.filter((minute) => minute >= firstRunAt).filter(outside(gaps));
      const isDown = observed.length - observed.filter(outside(down)).length;
      assert.deepEqual([downMs, observedMs], [isDown, observed.length]);
      assert.equal(ratio, observed.length > 0 ? 1 - isDown / observed.length : undefined);
      assert.equal(withoutData, planned.length > 0 ? 1 - observed.length / planned.length : 1);
    }),
  );
});

const HOUR = 3_600_000;
const ruleOf = (pattern: string, hours: number) => ({ pattern, timeZone: 'Europe/Berlin', durationMs: hours * HOUR });
const sundays = ruleOf('0 2 * * SUN', 2);
const halfPast = ruleOf('30 2 * * SUN', 1);
const daily = ruleOf('0 3 * * *', 1);

const windows: [MaintenanceRule[], now: string, until: string | undefined, why: string][] = [
  [[sundays], '2026-11-22T00:59:59.999Z', undefined, 'a moment before'],
  [[sundays], '2026-11-22T01:00:00.000Z', '03:00', 'its first moment (winter: UTC+1)'],
  [[sundays], '2026-11-22T02:59:59.999Z', '03:00', 'its last'],
  [[sundays], '2026-11-22T03:00:00.000Z', undefined, 'over'],
  [[sundays], '2026-07-05T00:30:00.000Z', '02:00', 'in summer: UTC+2'],
  [[sundays], '2026-11-23T01:30:00.000Z', undefined, 'a Monday'],
  [[sundays, ruleOf('30 2 * * *', 3)], '2026-11-22T02:00:00.000Z', '04:30', 'of two open windows the longer one'],
  [[halfPast], '2026-03-29T00:59:59.999Z', undefined, 'spring leaves its time out'],
  [[halfPast], '2026-03-29T01:00:00.000Z', '02:00', 'so it opens an hour later by the clock'],
  [[halfPast], '2026-03-29T02:00:00.000Z', undefined, 'once'],
  [[halfPast], '2026-10-25T00:29:59.999Z', undefined, 'autumn has its time twice'],
  [[halfPast], '2026-10-25T00:30:00.000Z', '01:30', 'it opens the first time'],
  [[halfPast], '2026-10-25T01:30:00.000Z', undefined, 'and not again'],
  [[daily], '2026-10-25T01:59:59.999Z', undefined, 'what comes after the change'],
  [[daily], '2026-10-25T02:00:00.000Z', '03:00', 'is on time'],
];

test('a window follows the clock of its time zone, also through the changes of spring and autumn', () => {
  for (const [rules, now, until, why] of windows) {
    const span = maintenanceAt(rules, Date.parse(now));
    assert.equal(span && new Date(span.to).toISOString(), until && `${now.slice(0, 11)}${until}:00.000Z`, why);
  }
  const [next] = nextMaintenance([sundays], Date.parse('2026-11-22T02:00:00Z'), 1);
  assert.equal(new Date(next?.from ?? 0).toISOString(), '2026-11-29T01:00:00.000Z');
});

test('durations in two units at most', () => {
  const texts = [-9, 59.4, 60, 61, 3_600, 11_100, 172_800, 180_000].map((seconds) => durationText(seconds * 1000));
  assert.deepEqual(texts, ['0 s', '59 s', '1 min', '1 min 1 s', '1 h', '3 h 5 min', '2 d', '2 d 2 h']);
});
