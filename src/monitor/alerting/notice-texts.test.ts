import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fakeNotice } from '../../testing/monitor/fakes.ts';
import { noticesOf } from '../../testing/monitor/flips.ts';
import type { Notice } from './notice.ts';
import { noticeLines, plainNotice } from './notice-lines.ts';

const rows: [name: string, story: string, expected: string[]][] = [
  [
    'several scenarios, one after the other',
    '0 -block; 1 -list; 2 -unblock; 4 +list; 200 +unblock; 200 +block',
    [
      'down: e: Friends: listBlocked breaks “the list mentions a friend just blocked” (1 scenario)',
      'more: e: Friends: listBlocked breaks “the list mentions a friend just blocked” (1 scenario); 2 scenarios are failing now',
      'more: e: Friends: listBlocked breaks “the list mentions a friend just blocked” (1 scenario); 3 scenarios are failing now',
      'part: e: "list" is back; 2 scenarios have been failing for up to 5 min',
      'still: e: Friends: listBlocked breaks “the list mentions a friend just blocked” (2 scenarios), for up to 3 h 5 min',
      'up: e: both scenarios have recovered in Friends after 3 h 20 min',
    ],
  ],
  [
    'two scenarios at once; one recovers, goes down again, and is the last',
    '0 -block; 0 -list; 5 +list; 6 -list; 7 +block; 190 +list',
    [
      'down: e: Friends: listBlocked breaks “the list mentions a friend just blocked” (2 scenarios)',
      'part: e: "block" is back; "list" has been failing for 2 min',
      'still: e: Friends: listBlocked breaks “the list mentions a friend just blocked” (1 scenario), for 3 h 2 min',
      'up: e: "list" has recovered in Friends after 3 h 4 min',
    ],
  ],
  [
    'one scenario in several environments of one address',
    '0 -block; 0 -west:block; 5 -east:block; 186 +west:block; 190 +east:block; 190 +block',
    [
      'down: e and west: Friends: listBlocked breaks “the list mentions a friend just blocked” (2 scenarios)',
      'more: east: Friends: listBlocked breaks “the list mentions a friend just blocked” (1 scenario); e and west: "block" has been failing for 5 min',
      'still: e, west and east: Friends: listBlocked breaks “the list mentions a friend just blocked” (3 scenarios), for up to 3 h 5 min',
      'part: west: "block" is back; e and east: "block" has been failing for up to 3 h 7 min',
      'up: e and east: "block" has recovered in Friends after 3 h 10 min',
    ],
  ],
  [
    'one host of six, then another',
    '0 -block late 1; 5 -love late 1,2; 9 +block; 10 +love',
    [
      'down: e: nothing answers at friends.test (Friends: 1 of 6 addresses timed out)',
      'more: e: nothing answers at 2 hosts (now Friends, Stories: 2 of 6 addresses timed out)',
      'up: e: connections to 2 hosts succeed again after 10 min',
    ],
  ],
  [
    'an expired certificate',
    '0 -block expired h/1,h/2,h/3,h/4,h/5,h/6; 180 -love expired h/1; 190 +block; 190 +love',
    [
      'down: e: no TLS connection to h (6 of 6 addresses: certificate expired)',
      'still: e: no TLS connection to h for 3 h (6 of 6 addresses: certificate expired)',
      'up: e: TLS connections to h work again after 3 h 10 min',
    ],
  ],
  [
    'a service that accepts connections and is silent',
    '0 -block silent 1; 185 +block',
    [
      'down: e: no response from friends.test (Friends: 1 of 6 addresses timed out)',
      'still: e: no response from friends.test for 3 h (Friends: 1 of 6 addresses timed out)',
      'up: e: responses from friends.test arrive again after 3 h 5 min',
    ],
  ],
  [
    'one status at several addresses',
    '0 -block 503 1,2,3,4,5,6; 0 -love 503 1; 185 +block; 186 +love',
    [
      'down: e: 6 of 6 addresses answer 503 (2 scenarios)',
      'still: e: 6 of 6 addresses answer 503 (2 scenarios), for 3 h',
      'up: e: both scenarios have recovered in 6 areas after 3 h 6 min',
    ],
  ],
  [
    'scenarios that can no longer run: no reminders',
    '0 ~delete; 2 ~withdraw; 400 +delete; 460 +withdraw',
    [
      'down: e: "delete" can no longer run in Friends: needs a stored item',
      'more: e: more scenarios can no longer run in Friends, 2 now: needs a stored item',
      'part: e: "delete" can run again; "withdraw" has not run for 6 h 39 min',
      'up: e: "withdraw" can run again in Friends after 7 h 38 min',
    ],
  ],
];

test('the headlines of an outage, from its first notice to its last', () => {
  for (const [name, story, expected] of rows) {
    const headlines = noticesOf(story);
    assert.deepEqual(
      headlines.map(({ kind, headline }) => `${kind}: ${headline}`),
      expected,
      name,
    );
  }
});

test('a notice as text: what, since when, each scenario with its reason and the call that repeats it', () => {
  const [down, , , , up] = noticesOf('0 -block; 3 -list; 4 +list; 200 +block');
  const scenario = 'block (Friends): failed';
  const evidence = [
    '  documented: the list mentions a friend just blocked',
    "  curl -sS 'https://friends.your.org/v1' -H 'Authorization: bearer ***'",
  ];
  const [link] = noticeLines(down as Notice).slice(-1);
  assert.match(link ?? '', /^https:\/\/page\.your\.org\/incidents\/\d+$/);
  assert.deepEqual(noticeLines(down as Notice).slice(0, -1), [
    'e: Friends: listBlocked breaks “the list mentions a friend just blocked” (1 scenario)',
    'Down since 2026-11-20 10:00:00 UTC',
    '',
    scenario,
    ...evidence,
    '',
  ]);
  assert.deepEqual(noticeLines(up as Notice).slice(0, -1), [
    'e: "block" has recovered in Friends after 3 h 20 min',
    'Down from 2026-11-20 10:00:00 UTC to 2026-11-20 13:20:00 UTC (3 h 20 min)',
    '',
    scenario,
    ...evidence,
    '',
  ]);
});

test('a notice links to what to do, in the sections of the alerts of Prometheus; without a runbook, to its incident', () => {
  const runbookOf = (story: string, runbookUrl?: string) =>
    noticesOf(story, 0, runbookUrl).map(({ runbook, link, ...notice }) => [
      runbook === link ? 'link' : runbook,
      noticeLines({ ...notice, link, ...(runbook ? { runbook } : {}) }).filter((line) => line.startsWith('Runbook')),
    ]);
  const url = 'https://wiki.your.org/sextant';
  for (const [story, section] of [
    ['0 -block', 'sextantscenariofailing'],
    ['0 ~block', 'sextantnotjudged'],
    ['0 -block refused 1,2,3,4,5,6', 'sextantenvironmentunreachable'],
    ['0 -block refused 1,2', 'sextantareaunreachable'],
  ] as const) {
    assert.deepEqual(runbookOf(story, url), [[`${url}#${section}`, [`Runbook: ${url}#${section}`]]]);
    assert.match(readFileSync('docs/alerts.md', 'utf8').toLowerCase(), new RegExp(`^### ${section}$`, 'm'));
  }
  assert.deepEqual(runbookOf('0 -block'), [['link', []]]);
});

test('a notice of a part marks what recovered; a reminder names nothing else than what is down', () => {
  const [, part, still] = noticesOf('0 -block; 0 -list; 4 +list', 190);
  const scenarios = (notice: Notice | undefined) =>
    noticeLines(notice ?? assert.fail()).filter((line) => /^\w+ \(/.test(line));
  assert.deepEqual(scenarios(part), ['block (Friends): failed', 'list (Friends) is back']);
  assert.deepEqual(scenarios(still), ['block (Friends): failed']);
});

const headlines: [given: string, plain: string][] = [
  ['staging: friends is down', 'staging: friends is down'],
  ['“élan” → „über“ – it’s', '"elan" - ?uber" - it\'s'],
  ['😀 \u0000\u202e', '? ??'],
  ['x'.repeat(300), `${'x'.repeat(197)}...`],
];
for (const [headline, plain] of headlines)
  test(`${JSON.stringify(headline.slice(0, 30))} is sent as ${JSON.stringify(plain.slice(0, 30))}`, () =>
    assert.equal(plainNotice(fakeNotice('down', { headline })).headline, plain));

test('of scenarios it names three, without reasons and calls; what identifies the incident stays', () => {
  const [one] = fakeNotice('down').scenarios;
  assert.ok(one);
  const notice = fakeNotice('down', {
    scenarios: Array.from({ length: 9 }, () => ({ ...one, title: 'b'.repeat(999) })),
  });
  const plain = plainNotice(notice);
  assert.equal(plain.scenarios.length, 3);
  assert.deepEqual(
    [plain.incident, plain.kind, plain.since, plain.link],
    [notice.incident, 'down', notice.since, notice.link],
  );
  const text = JSON.stringify(plain);
  assert.doesNotMatch(text, /curl|mentions/);
  assert.ok(text.length < 2_000, `${text.length} bytes`);
});
