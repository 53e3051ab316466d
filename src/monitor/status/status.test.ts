import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Verdict } from '../../client/index.ts';
import {
  type Change,
  type Evidence,
  evidenceOf,
  healthOfRun,
  indicatorOf,
  judgeRun,
  passedOnRetry,
  ruleFor,
  statusOf,
  unseen,
} from './status.ts';

/** One letter per minute: u up, g degraded, d down, ? unknown, s skipped, p unproven; five minutes are too long without a judgement. Returns the flips as `minute:from>to@since`, and the final status. */
function timeline(letters: string, downAfter: number, upAfter: number): string {
  const words: Record<string, Evidence> = {
    u: 'up',
    g: 'degraded',
    d: 'down',
    '?': 'unknown',
    s: 'skipped',
    p: 'unproven',
  };
  const rule = { downAfter, upAfter, notJudgedAfterMs: 5 };
  let standing = unseen;
  const flips: string[] = [];
  const show = (minute: number, { from, to, since }: Change) => `${minute}:${from}>${to}@${since}`;
  for (const [minute, letter] of [...letters].entries()) {
    const judged = judgeRun(standing, words[letter] as Evidence, minute, rule);
    standing = judged.standing;
    if (judged.change) flips.push(show(minute, judged.change));
  }
  const blind = standing.unjudgedSince === undefined ? '' : ` blind@${standing.unjudgedSince}`;
  return `${[...flips, statusOf(standing)].join(' ')}${blind}`;
}

const rows: [string, number, number, string, string][] = [
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
  ['ugg', 2, 1, '2:up>degraded@1 degraded', 'slow and drifted are degraded'],
  ['ugd', 2, 1, '2:up>degraded@1 degraded', 'degraded then down: at least degraded twice, down once'],
  ['ugdd', 2, 1, '2:up>degraded@1 3:degraded>down@2 down', 'then down, since its own first run'],
  ['uddgg', 2, 2, '2:up>down@1 4:down>degraded@3 degraded', 'down to degraded'],
  ['uddguu', 2, 2, '2:up>down@1 4:down>degraded@3 5:degraded>up@4 up', 'and on to up'],
  ['uss?', 1, 1, '1:up>skipped@1 skipped blind@1', 'a scenario that can no longer run is a state, and one flip'],
  ['ss', 1, 1, 'skipped blind@0', 'one that never could is the state without a flip'],
  ['ussu', 1, 1, '1:up>skipped@1 3:skipped>up@3 up', 'and ends with a run that can be judged'],
  ['usd', 1, 1, '1:up>skipped@1 2:skipped>down@2 down', 'whatever that shows'],
  ['gsg', 1, 1, '0:pending>degraded@0 1:degraded>skipped@1 2:skipped>degraded@2 degraded', 'slow before and after'],
  ['udssu', 1, 1, '1:up>down@1 4:down>up@4 up', 'what was down and can no longer run has not recovered'],
  ['udsssssss', 1, 1, '1:up>down@1 7:down>skipped@7 skipped blind@2', 'after a while it is what can no longer run'],
  ['u??????', 1, 1, '6:up>unjudged@1 unjudged blind@1', 'not judged for too long is a state of its own'],
  [
    'u??pp??u',
    1,
    1,
    '6:up>unjudged@1 7:unjudged>up@7 up',
    'whatever it could not be judged for; and ends with a run that can',
  ],
  [
    'ud??????ud',
    1,
    2,
    '1:up>down@1 7:down>unjudged@2 8:unjudged>up@8 9:up>down@9 down',
    'what was down is not known to be any more',
  ],
  ['??????', 1, 1, '5:pending>unjudged@0 unjudged blind@0', 'from the start too'],
  ['ppppppp', 1, 1, 'skipped', 'but what never proved anything is not missed'],
  ['??????pp', 1, 1, '5:pending>unjudged@0 6:unjudged>pending@6 skipped', 'whatever kept it from being judged before'],
  ['us????????u', 1, 1, '1:up>skipped@1 10:skipped>up@10 up', 'what can no longer run stays that'],
  ['dugu', 1, 2, '0:pending>down@0 2:down>degraded@1 degraded', 'a slow run interrupts the streak of good ones'],
];

test('flips of a scenario over time', () => {
  for (const [letters, downAfter, upAfter, expected, why] of rows)
    assert.equal(timeline(letters, downAfter, upAfter), expected, `${letters} (${why})`);
});

test('a scenario that runs every ten minutes or less often is up again after one good run', () => {
  const rule = { downAfter: 1, upAfter: 2 };
  assert.deepEqual(
    [ruleFor(rule, 60_000), ruleFor(rule, 600_000), ruleFor({ ...rule, notJudgedAfterMs: 7 }, 60_000)],
    [
      { ...rule, notJudgedAfterMs: 900_000 },
      { downAfter: 1, upAfter: 1, notJudgedAfterMs: 1_800_000 },
      { ...rule, notJudgedAfterMs: 7 },
    ],
  );
});

const runRows: [Verdict, Verdict | undefined, string][] = [
  ['passed', undefined, 'up good'],
  ['slow', undefined, 'degraded good'],
  ['drifted', undefined, 'degraded good'],
  ['failed', undefined, 'down bad'],
  ['refused', undefined, 'down bad'],
  ['unreachable', undefined, 'down bad'],
  ['unknown', undefined, 'unknown -'],
  ['skipped', undefined, 'unknown -'],
  // The first attempt stays the indicator, whatever the result of the second.
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
    const words = [healthOfRun(one, two), indicatorOf(one) ?? '-'];
    if (passedOnRetry(one, two)) words.push('retried');
    assert.equal(words.join(' '), expected, `${first}, ${second}`);
  }
  assert.equal(evidenceOf({ verdict: 'unknown', lacksData: true }), 'skipped');
  assert.equal(evidenceOf({ verdict: 'skipped', unproven: true }), 'unproven');
});
