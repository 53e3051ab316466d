import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { MINUTE } from '../../testing/monitor/played-outages.ts';
import { tellOutages, testStories } from '../../testing/monitor/tell-outages.ts';
import type { RecorderOptions } from '../recording/incident-log.ts';
import type { Notice } from './notice.ts';
import { noticeLines } from './notice-lines.ts';

const policy = { downAfter: 1, upAfter: 1, remindAfterMs: 20 * MINUTE, gatherMs: MINUTE };

testStories(
  `
several scenarios, one after the other
e at *.test; block, list, unblock in friends
e/friends/block 0–30 broken; e/friends/list 1–4 broken; e/friends/unblock 2–30 broken
→ 0 down: e: Friends: block breaks “it works” (1 scenario)
→ 20 still: e: Friends: block breaks “it works” (2 scenarios), for 20 min; "list" has recovered
→ 30 up: e: 3 scenarios have recovered in Friends after 30 min

two scenarios at once; one recovers, goes down again, and is the last
e at *.test; block, list, unblock in friends
e/friends/block 0–7 broken; e/friends/list 0–5 broken; e/friends/list 6–30 broken
→ 0 down: e: Friends: block breaks “it works” (2 scenarios)
→ 20 still: e: Friends: block breaks “it works” (1 scenario), for 14 min; "block" has recovered
→ 30 up: e: 2 scenarios have recovered in Friends after 30 min

one scenario in several environments of one address
e, west, east at h/p; block in friends
e 0–30 broken; west 0–27 broken; east 1–30 broken
→ 0 down: e and west: Friends: block breaks “it works” (2 scenarios)
→ 1 more: east: Friends: block breaks “it works” (1 scenario); e and west are still down
→ 21 still: e, west and east: Friends: block breaks “it works” (3 scenarios), for 21 min
→ 30 up: e, west and east: "block" has recovered in Friends after 30 min

one host of six, then another
e at *.test; block in friends; love in stories
e/friends 0–9 late; e/stories 5–10 late
→ 0 down: e: nothing answers at friends.test: connecting timed out (Friends: 1 of ALL addresses)
→ 5 more: e: nothing answers at 2 hosts: connecting timed out (Friends, Stories: 2 of ALL addresses); 2 scenarios in all
→ 10 up: e: 2 hosts answer again after 10 min

an expired certificate
e at h; block, list, unblock in friends
e 0–30 expired
→ 0 down: e: no TLS connection to h: the certificate has expired (ALL of ALL addresses)
→ 20 still: e: no TLS connection to h: the certificate has expired (ALL of ALL addresses), for 20 min
→ 30 up: e: h answers again after 30 min

a service that accepts connections and is silent
e at *.test; block in friends
e/friends 0–25 silent
→ 0 down: e: no response from friends.test: timed out (Friends: 1 of ALL addresses)
→ 20 still: e: no response from friends.test: timed out (Friends: 1 of ALL addresses), for 20 min
→ 25 up: e: friends.test answers again after 25 min

one status at several addresses
e at *.test; block in friends; love in stories; clone in gameDesign; update in profile
e 0–25 503
→ 0 down: e: ALL of ALL addresses answer 503
→ 20 still: e: ALL of ALL addresses answer 503, for 20 min
→ 25 up: e: 6 addresses work again after 25 min

scenarios that can no longer run: no reminders
e at *.test; block, list in friends
e/friends/block 1–30 skipped; e/friends/list 3–35 skipped
→ 1 down: e: "block" can no longer run in Friends: needs a stored item
→ 3 more: e: "list" can no longer run in Friends: needs a stored item; 2 scenarios in all
→ 35 up: e: 2 scenarios can run again in Friends after 34 min

one area, then all: singular and plural
e at *.test; block in friends; love in stories
e/friends 0–5 500; e/stories 2–5 500
→ 0 down: e: Friends answers 500
→ 2 more: e: 2 of ALL addresses answer 500; 2 scenarios in all
→ 5 up: e: 2 addresses work again after 5 min

a rare recovery that nobody saw begin
e at h; block in friends; love in stories; view in profile
e 0–30 500
→ 0 down: e: ALL of ALL addresses answer 500
→ 20 still: e: ALL of ALL addresses answer 500, for 20 min
→ 30 up: e: 6 addresses work again after 30 min
`,
  { options: { rule: policy } },
);

/** Notices of outages of three scenarios of an environment, which has a host for each area. */
function noticesOf(t: TestContext, outages: string, options: Partial<RecorderOptions> = {}): Notice[] {
  const story = `e at *.test; block, list, unblock in friends; ${outages}`;
  return tellOutages(t, story, { options: { rule: policy, ...options } }).notices;
}

test('a notice as text: what, since when, each scenario with its reason and the call that repeats it', (t) => {
  const [down, , up] = noticesOf(t, 'e/friends/block 0–30 broken');
  const scenario = 'block (Friends): failed';
  const evidence = ['  documented: it works — it did not (***)', "  curl '***'"];
  const [link] = noticeLines(down as Notice).slice(-1);
  assert.match(link ?? '', /^http:\/\/page\.test\/incidents\/\d+$/);
  const rest = ['', scenario, ...evidence, ''];
  assert.deepEqual(noticeLines(down as Notice).slice(0, -1), [
    'e: Friends: block breaks “it works” (1 scenario)',
    'Down since 2026-11-20 10:00:00 UTC',
    ...rest,
  ]);
  assert.deepEqual(noticeLines(up as Notice).slice(0, -1), [
    'e: "block" has recovered in Friends after 30 min',
    'Down from 2026-11-20 10:00:00 UTC to 2026-11-20 10:30:00 UTC (30 min)',
    ...rest,
  ]);
});

test('what can no longer run, or be judged, is not called down in the text of a notice', (t) => {
  const [down, up] = noticesOf(t, 'e/friends/block 1–9 skipped');
  assert.equal(noticeLines(down as Notice)[1], 'Since 2026-11-20 10:01:00 UTC');
  assert.equal(noticeLines(up as Notice)[1], 'From 2026-11-20 10:01:00 UTC to 2026-11-20 10:09:00 UTC (8 min)');
});

test('a notice links to what to do, in the sections of the alerts of Prometheus; without a runbook, to its incident', (t) => {
  const runbookOf = (outages: string, options: Partial<RecorderOptions>) =>
    noticesOf(t, `${outages}; all 0–1 played`, options).map(({ runbook, link, ...notice }) => [
      runbook === link ? 'link' : runbook,
      noticeLines({ ...notice, link, ...(runbook ? { runbook } : {}) }).filter((line) => line.startsWith('Runbook')),
    ]);
  const runbookUrl = 'https://wiki.your.org/sextant';
  for (const [outages, section] of [
    ['e/friends/block 0–9 broken', 'sextantscenariofailing'],
    ['e/friends/block 1–9 skipped', 'sextantnotjudged'],
    ['e 0–9 refused', 'sextantenvironmentunreachable'],
    ['e/friends 0–9 refused', 'sextantareaunreachable'],
  ] as const) {
    const url = `${runbookUrl}#${section}`;
    assert.deepEqual(runbookOf(outages, { runbookUrl }), [[url, [`Runbook: ${url}`]]]);
    assert.match(readFileSync('docs/alerts.md', 'utf8').toLowerCase(), new RegExp(`^### ${section}$`, 'm'));
  }
  assert.deepEqual(runbookOf('e/friends/block 0–9 broken', {}), [['link', []]]);
});

test('a reminder marks what has recovered, behind what is down', (t) => {
  const [, still] = noticesOf(t, 'e/friends/block 0–50 broken; e/friends/list 0–4 broken');
  const scenarios = noticeLines(still ?? assert.fail()).filter((line) => /^\w+ \(/.test(line));
  assert.deepEqual(scenarios, ['block (Friends): failed', 'list (Friends) has recovered']);
  assert.match(still?.headline ?? '', /, for 20 min; "list" has recovered$/);
});
