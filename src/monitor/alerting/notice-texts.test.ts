import assert from 'node:assert/strict';
import { test } from 'node:test';
import { durationText } from '../duration-text.ts';
import type { Cause, Flip } from '../status/flip.ts';
import { IncidentBook } from '../status/incident.ts';
import { afterNotice, dueNotice, neverNotified } from '../status/notification-policy.ts';
import { composeNotice } from './compose-notice.ts';
import type { Notice } from './notice.ts';
import { noticeLines } from './notice-lines.ts';

const MINUTE = 60_000;
const START = Date.parse('2026-11-20T10:00:00Z');
const HOUR = 60;
const policy = { remindAfterMs: 3 * HOUR * MINUTE, gatherMs: MINUTE };
const address: Cause = { kind: 'address', address: 'https://friends.your.org/' };
const host: Cause = { kind: 'host', address: 'https://friends.your.org' };

/** Minute and title of what went down (`-`) and recovered (`+`). */
type Story = readonly (readonly [minute: number, change: string])[];

/** Every notice of an outage, in order: the policy is asked each minute, as the monitor does. */
function noticesOf(cause: Cause, story: Story, minutes: number): Notice[] {
  const book = new IncidentBook();
  const notices: Notice[] = [];
  let notified = neverNotified;
  for (let minute = 0; minute <= minutes; minute++) {
    const now = START + minute * MINUTE;
    for (const [, change] of story.filter(([at]) => at === minute)) book.add(flip(change, now, cause));
    for (const incident of book.all) {
      const kind = dueNotice(incident, notified, now, false, policy);
      if (!kind) continue;
      notices.push(composeNotice(incident, kind, { instance: 'i', pageUrl: 'https://page.your.org/', now }));
      notified = afterNotice(notified, kind, incident, now);
    }
  }
  return notices;
}

let ids = 0;
function flip(change: string, at: number, cause: Cause): Flip {
  const isDown = change.startsWith('-');
  return {
    id: ++ids,
    scenario: { environment: 'staging', title: change.slice(1) },
    area: 'friends',
    at,
    since: at,
    from: isDown ? 'up' : 'down',
    to: isDown ? 'down' : 'up',
    verdict: cause.kind === 'host' ? 'unreachable' : 'failed',
    ...(cause.kind === 'host' ? {} : { grade: 'documented' as const }),
    reason: cause.kind === 'host' ? 'connection refused' : 'documented: the list mentions a friend just blocked',
    curl: "curl -sS 'https://friends.your.org/v1' -H 'Authorization: bearer ***'",
    cause,
  };
}

const rows: [string, Cause, Story, number, string[]][] = [
  [
    'one scenario',
    address,
    [
      [0, '-block'],
      [185, '+block'],
    ],
    185,
    [
      'down: staging: "block" is down (https://friends.your.org/)',
      'still: staging: "block" has been down for 3 h (https://friends.your.org/)',
      'up: staging: "block" has recovered after 3 h 5 min (https://friends.your.org/)',
    ],
  ],
  [
    'several scenarios, one after the other',
    address,
    [
      [0, '-block'],
      [1, '-list'],
      [2, '-unblock'],
      [4, '+list'],
      [200, '+unblock'],
      [200, '+block'],
    ],
    200,
    [
      'down: staging: "block" is down (https://friends.your.org/)',
      'more: staging: more scenarios went down: 2 are down now (https://friends.your.org/)',
      'more: staging: more scenarios went down: 3 are down now (https://friends.your.org/)',
      'still: staging: 2 scenarios have been down for up to 3 h 2 min (https://friends.your.org/)',
      'up: staging: all 3 scenarios have recovered after 3 h 20 min (https://friends.your.org/)',
    ],
  ],
  [
    'two scenarios at once; one recovers, goes down again, and is the last',
    address,
    [
      [0, '-block'],
      [0, '-list'],
      [5, '+list'],
      [6, '-list'],
      [7, '+block'],
      [190, '+list'],
    ],
    190,
    [
      'down: staging: 2 scenarios are down (https://friends.your.org/)',
      'more: staging: more scenarios went down: 2 are down now (https://friends.your.org/)',
      'still: staging: "list" has been down for 3 h (https://friends.your.org/)',
      'up: staging: both scenarios have recovered after 3 h 10 min (https://friends.your.org/)',
    ],
  ],
  [
    'a host with one scenario',
    host,
    [
      [0, '-block'],
      [181, '+block'],
    ],
    181,
    [
      'down: staging: host https://friends.your.org is unreachable ("block" is down)',
      'still: staging: host https://friends.your.org has been unreachable for 3 h ("block" is down)',
      'up: staging: host https://friends.your.org is reachable again after 3 h 1 min',
    ],
  ],
  [
    'a host with several',
    host,
    [
      [0, '-block'],
      [0, '-list'],
      [9, '-love'],
      [10, '+block'],
      [10, '+list'],
      [10, '+love'],
    ],
    10,
    [
      'down: staging: host https://friends.your.org is unreachable (2 scenarios are down)',
      'more: staging: host https://friends.your.org is still unreachable, more scenarios went down: 3 are down now',
      'up: staging: host https://friends.your.org is reachable again after 10 min',
    ],
  ],
];

test('the headlines of an outage, from its first notice to its last', () => {
  for (const [name, cause, story, minutes, expected] of rows) {
    const headlines = noticesOf(cause, story, minutes);
    assert.deepEqual(
      headlines.map(({ kind, headline }) => `${kind}: ${headline}`),
      expected,
      name,
    );
  }
});

test('a notice as text: what, since when, each scenario with its reason and the call that repeats it', () => {
  const [down, , , up] = noticesOf(
    address,
    [
      [0, '-block'],
      [3, '-list'],
      [4, '+list'],
      [200, '+block'],
    ],
    200,
  );
  const [scenario, other] = ['block', 'list'].map((title) => `${title} (Friends): failed`);
  const evidence = [
    '  documented: the list mentions a friend just blocked',
    "  curl -sS 'https://friends.your.org/v1' -H 'Authorization: bearer ***'",
  ];
  const [link] = noticeLines(down as Notice).slice(-1);
  assert.match(link ?? '', /^https:\/\/page\.your\.org\/incidents#incident-\d+$/);
  assert.deepEqual(noticeLines(down as Notice).slice(0, -1), [
    'staging: "block" is down (https://friends.your.org/)',
    'Down since 2026-11-20 10:00:00 UTC',
    '',
    scenario,
    ...evidence,
    '',
  ]);
  assert.deepEqual(noticeLines(up as Notice).slice(0, -1), [
    'staging: both scenarios have recovered after 3 h 20 min (https://friends.your.org/)',
    'Down from 2026-11-20 10:00:00 UTC to 2026-11-20 13:20:00 UTC (3 h 20 min)',
    '',
    scenario,
    ...evidence,
    '',
    other,
    ...evidence,
    '',
  ]);
});

test('a reminder marks what recovered meanwhile', () => {
  const still = noticesOf(
    address,
    [
      [0, '-block'],
      [0, '-list'],
      [4, '+list'],
    ],
    181,
  ).find(({ kind }) => kind === 'still');
  const scenarios = noticeLines(still as Notice).filter((line) => /^\w+ \(/.test(line));
  assert.deepEqual(scenarios, ['block (Friends): failed', 'list (Friends), recovered: failed']);
});

test('durations in two units at most', () => {
  const durations: [number, string][] = [
    [0, '0 s'],
    [59.4, '59 s'],
    [60, '1 min'],
    [61, '1 min 1 s'],
    [3_600, '1 h'],
    [11_100, '3 h 5 min'],
    [172_800, '2 d'],
    [180_000, '2 d 2 h'],
  ];
  for (const [seconds, text] of durations) assert.equal(durationText(seconds * 1000), text);
});
