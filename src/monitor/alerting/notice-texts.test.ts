import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fakeNotice } from '../../testing/monitor/fakes.ts';
import { address, lacking, noticesOf, type Story, shared, storyOf } from '../../testing/monitor/outage-notices.ts';
import type { Cause } from '../status/flip.ts';
import type { Notice } from './notice.ts';
import { noticeLines, plainNotice } from './notice-lines.ts';

const rows: [string, Cause, Story | string, string[]][] = [
  [
    'one scenario',
    address,
    '0 -block; 185 +block',
    [
      'down: staging: Friends: listBlocked breaks “the list mentions a friend just blocked” (1 scenario)',
      'still: staging: Friends: listBlocked breaks “the list mentions a friend just blocked” (1 scenario), for 3 h',
      'up: staging: "block" has recovered in Friends after 3 h 5 min',
    ],
  ],
  [
    'several scenarios, one after the other',
    address,
    '0 -block; 1 -list; 2 -unblock; 4 +list; 200 +unblock; 200 +block',
    [
      'down: staging: Friends: listBlocked breaks “the list mentions a friend just blocked” (1 scenario)',
      'more: staging: Friends: listBlocked breaks “the list mentions a friend just blocked” (1 scenario); 2 scenarios are failing now',
      'more: staging: Friends: listBlocked breaks “the list mentions a friend just blocked” (1 scenario); 3 scenarios are failing now',
      'part: staging: "list" is back; 2 scenarios have been failing for up to 5 min',
      'still: staging: Friends: listBlocked breaks “the list mentions a friend just blocked” (2 scenarios), for up to 3 h 5 min',
      'up: staging: both scenarios have recovered in Friends after 3 h 20 min',
    ],
  ],
  [
    'two scenarios at once; one recovers, goes down again, and is the last',
    address,
    '0 -block; 0 -list; 5 +list; 6 -list; 7 +block; 190 +list',
    [
      'down: staging: Friends: listBlocked breaks “the list mentions a friend just blocked” (2 scenarios)',
      'part: staging: "block" is back; "list" has been failing for 2 min',
      'still: staging: Friends: listBlocked breaks “the list mentions a friend just blocked” (1 scenario), for 3 h 2 min',
      'up: staging: "list" has recovered in Friends after 3 h 4 min',
    ],
  ],
  [
    'one scenario in several environments of one address',
    address,
    '0 -block; 0 -west: block; 5 -east: block; 186 +west: block; 190 +east: block; 190 +block',
    [
      'down: staging and west: Friends: listBlocked breaks “the list mentions a friend just blocked” (2 scenarios)',
      'more: east: Friends: listBlocked breaks “the list mentions a friend just blocked” (1 scenario); staging and west: "block" has been failing for 5 min',
      'still: staging, west and east: Friends: listBlocked breaks “the list mentions a friend just blocked” (3 scenarios), for up to 3 h 5 min',
      'part: west: "block" is back; staging and east: "block" has been failing for up to 3 h 7 min',
      'up: staging and east: "block" has recovered in Friends after 3 h 10 min',
    ],
  ],
  [
    'a stopped service: every further scenario was to be expected',
    shared('connect', 'ECONNREFUSED', 6, '127.0.0.1'),
    '0 -block; 0 -love; 1 -delete; 181 +block; 181 +love; 182 +delete',
    [
      'down: staging: nothing answers at 127.0.0.1 (6 of 6 addresses refused)',
      'still: staging: nothing has answered at 127.0.0.1 for 3 h (6 of 6 addresses refused)',
      'up: staging: connections to 127.0.0.1 succeed again after 3 h 2 min',
    ],
  ],
  [
    'one host of six, then another',
    shared('connect', 'ETIMEDOUT', 1),
    [...storyOf('0 -block'), [5, '-love', shared('connect', 'ETIMEDOUT', 2)], ...storyOf('9 +block; 10 +love')],
    [
      'down: staging: nothing answers at friends.your.org (Friends: 1 of 6 addresses timed out)',
      'more: staging: nothing answers at 2 hosts (now Friends, Stories: 2 of 6 addresses timed out)',
      'up: staging: connections to 2 hosts succeed again after 10 min',
    ],
  ],
  [
    'an expired certificate',
    shared('tls', 'CERT_HAS_EXPIRED', 6, 'api.your.org'),
    '0 -block; 180 -love; 190 +block; 190 +love',
    [
      'down: staging: no TLS connection to api.your.org (6 of 6 addresses: certificate expired)',
      'still: staging: no TLS connection to api.your.org for 3 h (6 of 6 addresses: certificate expired)',
      'up: staging: TLS connections to api.your.org work again after 3 h 10 min',
    ],
  ],
  [
    'a service that accepts connections and is silent',
    shared('processing', 'DEADLINE', 1),
    '0 -block; 185 +block',
    [
      'down: staging: no response from friends.your.org (Friends: 1 of 6 addresses timed out)',
      'still: staging: no response from friends.your.org for 3 h (Friends: 1 of 6 addresses timed out)',
      'up: staging: responses from friends.your.org arrive again after 3 h 5 min',
    ],
  ],
  [
    'one status at several addresses',
    shared('response', '503', 6),
    '0 -block; 0 -love; 185 +block; 186 +love',
    [
      'down: staging: 6 of 6 addresses answer 503 (2 scenarios)',
      'still: staging: 6 of 6 addresses answer 503 (2 scenarios), for 3 h',
      'up: staging: both scenarios have recovered in 6 areas after 3 h 6 min',
    ],
  ],
  [
    'scenarios that can no longer run: no reminders',
    lacking,
    '0 ~delete by id; 2 ~delete one of two; 400 +delete by id; 460 +delete one of two',
    [
      'down: staging: "delete by id" can no longer run in Storage: needs a stored item to delete: all 40 ids of STORED_ITEM_IDS are used, and PROVISION_URL is not set',
      'more: staging: more scenarios can no longer run in Storage, 2 now: needs a stored item to delete: all 40 ids of STORED_ITEM_IDS are used, and PROVISION_URL is not set',
      'part: staging: "delete by id" can run again; "delete one of two" has not run for 6 h 39 min',
      'up: staging: "delete one of two" can run again in Storage after 7 h 38 min',
    ],
  ],
];

test('the headlines of an outage, from its first notice to its last', () => {
  for (const [name, cause, story, expected] of rows) {
    const headlines = noticesOf(cause, story);
    assert.deepEqual(
      headlines.map(({ kind, headline }) => `${kind}: ${headline}`),
      expected,
      name,
    );
  }
});

test('a notice as text: what, since when, each scenario with its reason and the call that repeats it', () => {
  const [down, , , , up] = noticesOf(address, '0 -block; 3 -list; 4 +list; 200 +block', 200);
  const scenario = 'block (Friends): failed';
  const evidence = [
    '  documented: the list mentions a friend just blocked',
    "  curl -sS 'https://friends.your.org/v1' -H 'Authorization: bearer ***'",
  ];
  const [link] = noticeLines(down as Notice).slice(-1);
  assert.match(link ?? '', /^https:\/\/page\.your\.org\/incidents\/\d+$/);
  assert.deepEqual(noticeLines(down as Notice).slice(0, -1), [
    'staging: Friends: listBlocked breaks “the list mentions a friend just blocked” (1 scenario)',
    'Down since 2026-11-20 10:00:00 UTC',
    '',
    scenario,
    ...evidence,
    '',
  ]);
  assert.deepEqual(noticeLines(up as Notice).slice(0, -1), [
    'staging: "block" has recovered in Friends after 3 h 20 min',
    'Down from 2026-11-20 10:00:00 UTC to 2026-11-20 13:20:00 UTC (3 h 20 min)',
    '',
    scenario,
    ...evidence,
    '',
  ]);
});

test('a notice links to what to do, in the sections of the alerts of Prometheus; without a runbook, to its incident', () => {
  const runbookOf = (cause: Cause, runbookUrl?: string) =>
    noticesOf(cause, '0 -block', 0, {}, runbookUrl).map(({ runbook, link, ...notice }) => [
      runbook === link ? 'link' : runbook,
      noticeLines({ ...notice, link, ...(runbook ? { runbook } : {}) }).filter((line) => line.startsWith('Runbook')),
    ]);
  const url = 'https://wiki.your.org/sextant';
  for (const [cause, section] of [
    [address, 'sextantscenariofailing'],
    [lacking, 'sextantnotjudged'],
    [shared('connect', 'ECONNREFUSED', 6, 'h'), 'sextantenvironmentunreachable'],
    [shared('connect', 'ECONNREFUSED', 2, 'h'), 'sextantareaunreachable'],
  ] as const) {
    assert.deepEqual(runbookOf(cause, url), [[`${url}#${section}`, [`Runbook: ${url}#${section}`]]]);
    assert.match(readFileSync('docs/alerts.md', 'utf8').toLowerCase(), new RegExp(`^### ${section}$`, 'm'));
  }
  assert.deepEqual(runbookOf(address), [['link', []]]);
});

test('a notice of a part marks what recovered; a reminder names nothing else than what is down', () => {
  const [, part, still] = noticesOf(address, '0 -block; 0 -list; 4 +list', 190);
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
