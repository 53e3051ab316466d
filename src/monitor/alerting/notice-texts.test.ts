import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fakeFlip } from '../../testing/monitor/flips.ts';
import { noticeStories } from '../../testing/monitor/notice-stories.ts';
import { MINUTE } from '../../testing/monitor/played-outages.ts';
import { tellOutages, testStories } from '../../testing/monitor/tell-outages.ts';
import type { RecorderOptions } from '../recording/run-recorder.ts';
import type { Notice } from './notice.ts';
import { noticeLines } from './notice-lines.ts';
import { incidentTitle } from './wording.ts';

const policy = { downAfter: 1, upAfter: 1, remindAfterMs: 20 * MINUTE, gatherMs: MINUTE };

testStories(noticeStories, { options: { rule: policy } });

test('with NOTIFY_ON=degraded, what is slow has notices of its own, as warnings; what is down then is another incident', () => {
  const story =
    'staging at *.your.org; block, list in friends; staging/friends 5–30 slow; staging/friends/block 40–50 slow; staging/friends/block 50–60 500; all 0–70 played';
  const rule = { ...policy, notifiesDegraded: true };
  const { headlines, notices } = tellOutages(story, { options: { rule } });
  const why = 'block took 3000 ms, more than SLOW_AFTER_MS=2000';
  assert.deepEqual(headlines, [
    `6 down: staging: 2 scenarios are degraded in Friends: ${why}`,
    `26 still: staging: 2 scenarios are degraded in Friends: ${why}, for 21 min`,
    '30 up: staging: 2 scenarios have recovered in Friends after 25 min',
    `41 down: staging: "block" is degraded in Friends: ${why}`,
    '50 up: staging: "block" fails for another cause now, after 10 min',
    '50 down: staging: Friends: block answers 500 (1 scenario)',
    '60 up: staging: "block" has recovered in Friends after 10 min',
  ]);
  assert.deepEqual(new Set(notices.map(({ cause }) => cause.kind)), new Set(['degraded', 'operation']));
  assert.deepEqual(tellOutages(story, { options: { rule: policy } }).headlines.length, 2);
});

/**
 * The notices that the monitor sends during `outages` of three scenarios, `block`, `list` and `unblock`. Each area of their environment has
 * its own host.
 */
function noticesOf(outages: string, options: Partial<RecorderOptions> = {}): Notice[] {
  const story = `e at *.test; block, list, unblock in friends; ${outages}`;
  return tellOutages(story, { options: { rule: policy, ...options } }).notices;
}

test('a notice as text: what, since when, each scenario with its reason and the call that repeats it', () => {
  const [down, , up] = noticesOf('e/friends/block 0–30 broken');
  const evidence = ['  documented: it works — it did not (***)', "  curl '***'"];
  const [link] = noticeLines(down as Notice).slice(-1);
  assert.match(link ?? '', /^http:\/\/page\.test\/incidents\/\d+$/);
  assert.deepEqual(noticeLines(down as Notice).slice(0, -1), [
    "e: Friends: block: “it works” doesn't hold (1 scenario)",
    'Down since 2026-11-20 10:00:00 UTC',
    ...['', 'block (Friends): failed', ...evidence, ''],
  ]);
  assert.deepEqual(noticeLines(up as Notice).slice(0, -1), [
    'e: "block" has recovered in Friends after 30 min',
    'Down from 2026-11-20 10:00:00 UTC to 2026-11-20 10:30:00 UTC (30 min)',
    '',
  ]);
  const [, both] = noticesOf('e/friends 0–30 refused').slice(-2);
  assert.deepEqual(noticeLines(both as Notice).slice(2, -1), [
    '',
    'block (Friends)',
    '',
    'list (Friends)',
    '',
    'unblock (Friends)',
    '',
  ]);
  assert.deepEqual([up?.scenarios[0]?.reason, up?.scenarios[0]?.curl], [undefined, undefined]);
  // These notices are about a scenario that did not fail, but can no longer run, so that the monitor can't judge it. They must not say
  // "Down".
  const [unjudged, judged] = noticesOf('e/friends/block 1–9 skipped');
  assert.equal(noticeLines(unjudged as Notice)[1], 'Since 2026-11-20 10:01:00 UTC');
  assert.equal(noticeLines(judged as Notice)[1], 'From 2026-11-20 10:01:00 UTC to 2026-11-20 10:09:00 UTC (8 min)');
});

test('a notice links to what to do, in the sections of the alerts of Prometheus; without a runbook, to its incident', () => {
  const runbookOf = (outages: string, options: Partial<RecorderOptions>) =>
    noticesOf(`${outages}; all 0–1 played`, options).map(({ runbook, link, ...notice }) => [
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
    assert.match(readFileSync('docs/runbook.md', 'utf8').toLowerCase(), new RegExp(`^### ${section}$`, 'm'));
  }
  assert.deepEqual(runbookOf('e/friends/block 0–9 broken', {}), [['link', []]]);
});

test('a reminder marks what has recovered, behind what is down', () => {
  const [, still] = noticesOf('e/friends/block 0–50 broken; e/friends/list 0–4 broken');
  const scenarios = noticeLines(still ?? assert.fail()).filter((line) => /^\w+ \(/.test(line));
  assert.deepEqual(scenarios, ['block (Friends): failed', 'list (Friends) has recovered']);
  assert.match(still?.headline ?? '', /, for 20 min; "list" has recovered$/);
});

test('the title of a resolved incident says what was wrong', () => {
  for (const [trouble, title] of [
    ['e/friends/block 0–5 500', 'Friends: block answered 500'],
    ['e/friends/block 0–5 broken', 'Friends: block failed'],
    ['e/friends/block 0–5 swallowed', 'Friends: unblock failed'],
    ['e/friends/block 0–5 silent', 'Friends: block gave no usable response: timed out'],
    ['e/friends 0–5 503', 'Friends answered 503'],
    ['e 0–5 503', '6 areas answered 503'],
    ['e/friends 0–5 refused', "friends.test couldn't be reached: connection refused (Friends)"],
    ['e/friends 0–5 silent', "Friends didn't respond (timed out after 10 s)"],
    ['e 0–5 401', 'ACCESS_TOKEN was refused (401) in 6 areas'],
    ['e/friends/block 1–5 skipped', '"block" couldn\'t be judged in Friends: needs a stored item'],
  ] as const) {
    const story = `e at *.test; block, list in friends; ${trouble}; all 0–9 played`;
    assert.deepEqual(tellOutages(story, { options: { rule: policy } }).titles, [title]);
  }
});

test('a scenario of all areas is of several, whatever others fail with it', () => {
  const ofAll = fakeFlip({ scenario: { environment: 'e', title: 'round' }, area: 'all' });
  const subject = [fakeFlip({ area: 'features' }), ofAll];
  assert.equal(incidentTitle({ subject, until: undefined }), '2 scenarios are failing in several areas');
});
