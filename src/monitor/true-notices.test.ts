import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { MINUTE, PlayedOutages, type SentNotice, type Trouble } from '../testing/monitor/played-outages.ts';
import { tellOutages, testStories } from '../testing/monitor/tell-outages.ts';

testStories(`
one host goes with four environments: what is back is part of the reminder, and the end is told once
aa, bb, cc, dd at h
aa 5–15; bb 5–16; cc 5–230; dd 6–15; all 0–240 played
→ 5 down: aa, bb and cc: h can't be reached: connection refused
→ 6 more: dd: h can't be reached: connection refused; aa, bb and cc are still down
→ 186 still: cc: h can't be reached: connection refused, for 3 h 1 min; 6 scenarios have recovered
→ 231 up: aa, bb and 2 more environments: h can be reached again after 3 h 45 min

A recovers and fails again while B is down, and nothing was said of that: no news; no reminder where it was acknowledged
aa, bb at h
aa 5–20; aa 60–400; bb 5–400; all 30–31 acknowledged; all 0–245 played
→ 5 down: aa and bb: h can't be reached: connection refused

what was reported as recovered fails again while the rest is down: told within the hour
aa, bb, cc at h
aa 5–10; aa 25–200; bb 5–200; cc 15–200; all 0–100 played
→ 5 down: aa and bb: h can't be reached: connection refused
→ 15 more: cc: h can't be reached: connection refused; bb is still down; 2 scenarios have recovered
→ 75 more: aa: h can't be reached: connection refused; bb and cc are still down

another scenario fails at a place that was reported as recovered: told at once
aa, bb at h; block, list in friends
aa 1–250; bb/friends/block 0–3 refused; bb/friends/list 203–250 refused; all 0–220 played
→ 0 down: bb: h can't be reached: connection refused (Friends)
→ 1 more: aa: h can't be reached: connection refused; bb is still down
→ 181 still: aa: h can't be reached: connection refused, for 3 h; "block" has recovered
→ 203 more: bb: h can't be reached: connection refused (Friends); aa is still down; "block" has recovered

one area fails twice, then everything does: each is told
aa, bb at h
aa/friends 5–6; aa/friends 20–21; aa 24–60; bb 24–60; all 0–30 played
→ 5 down: aa: h can't be reached: connection refused (Friends)
→ 7 up: aa: h can be reached again after 1 min
→ 20 down: aa: h can't be reached: connection refused (Friends)
→ 22 up: aa: h can be reached again after 1 min
→ 24 down: aa and bb: h can't be reached: connection refused

down, recovered and failed again inside a maintenance window: what was told is true at its end
aa at h
aa 5–40; aa 60–120; aa 30–90 maintenance; all 0–130 played
→ 5 down: aa: h can't be reached: connection refused
→ 121 up: aa: h can be reached again after 1 h

down before a maintenance window, over inside it: told at its end, once
aa at h
aa 5–40; aa 30–90 maintenance; all 0–100 played
→ 5 down: aa: h can't be reached: connection refused
→ 90 up: aa: h can be reached again after 35 min

what recovered in a maintenance window, before anything was told, is no part of the end
aa at h; block, list in friends
aa/friends/block 5–10 broken; aa/friends/list 5–40 broken; aa 2–20 maintenance; all 0–50 played
→ 20 down: aa: Friends: block: “it works” doesn't hold (1 scenario)
→ 41 up: aa: "list" has recovered in Friends after 35 min

the other one is back, and one fails for another cause in its maintenance: nothing is said of that before the end
aa, bb at h; block in friends
aa 5–12; bb 5–20; aa/friends 15–200 broken; aa 10–100 maintenance; all 0–110 played
→ 5 down: aa and bb: h can't be reached: connection refused
→ 21 up: aa and bb: h can be reached again after 15 min; "block" is in maintenance
→ 100 down: aa: Friends: block: “it works” doesn't hold (1 scenario)

the third recovery within six hours is believed five minutes later
aa at h; block, list in friends
aa/friends/block 5–10 broken; aa/friends/block 20–25 broken; aa/friends 40–45 broken; all 0–60 played
→ 5 down: aa: Friends: block: “it works” doesn't hold (1 scenario)
→ 11 up: aa: "block" has recovered in Friends after 5 min
→ 20 down: aa: Friends: block: “it works” doesn't hold (1 scenario)
→ 26 up: aa: "block" has recovered in Friends after 5 min
→ 40 down: aa: Friends: block: “it works” doesn't hold (2 scenarios)
→ 50 up: aa: 2 scenarios have recovered in Friends after 5 min

an operation has recovered twice, then its whole address fails: two causes, and no recovery of one holds back that of the other
aa at h; block, list in friends
aa/friends/block 5–10 500; aa/friends/block 20–25 500; aa/friends 40–45 500; all 0–60 played
→ 5 down: aa: Friends: block answers 500 (1 scenario)
→ 11 up: aa: "block" has recovered in Friends after 5 min
→ 20 down: aa: Friends: block answers 500 (1 scenario)
→ 26 up: aa: "block" has recovered in Friends after 5 min
→ 40 down: aa: Friends answers 500
→ 46 up: aa: Friends works again after 5 min

every area of a host is silent: its name
aa at h
aa 5–20 silent; all 0–30 played
→ 5 down: aa: h doesn't respond (timed out after 10 s)
→ 21 up: aa: h responds again after 15 min

what can no longer run is told once, with the reason, and not reminded of
aa at h
aa/friends 5–300 skipped; all 0–302 played
→ 5 down: aa: "block" can't be judged in Friends: needs a stored item
→ 300 up: aa: "block" can be judged again in Friends after 4 h 55 min

what was proven and is not any more is not judged; what was down then ends as that
aa at h
aa/friends 5–40 unproven; aa/stories 5–10 broken; aa/stories 10–40 unknown; all 0–50 played
→ 5 down: aa: Stories: love: “it works” doesn't hold (1 scenario)
→ 20 down: aa: "block" can't be judged in Friends: accepted, and refused nowhere else
→ 25 up: aa: "love" can no longer be judged, after 5 min
→ 25 more: aa: "love" can't be judged in Stories: the suite could not judge: throttled (429); 2 scenarios in all
→ 40 up: aa: 2 scenarios can be judged again in Friends and Stories after 35 min

what never proved anything, and was down in an outage, is neither down nor missed when that is over
aa at h
aa/friends 0–5 unproven; aa/friends 5–10 broken; aa/friends 10–90 unproven; all 0–80 played
→ 5 down: aa: Friends: block: “it works” doesn't hold (1 scenario)
→ 11 up: aa: "block" can't be proved here, as before, after 5 min

errors of a whole address, found with the first failure, and those of one operation: two causes, two incidents
aa at h; block, list in friends; love in stories
aa/friends 5–20 500; aa/stories/love 10–30 500; all 0–40 played
→ 5 down: aa: Friends answers 500
→ 10 down: aa: Stories: love answers 500 (1 scenario)
→ 21 up: aa: Friends works again after 15 min
→ 31 up: aa: "love" has recovered in Stories after 20 min

time-outs, and an expectation that breaks in the same minute: two incidents
aa at h
aa/friends 5–20 silent; aa/stories 5–20 broken; all 0–30 played
→ 5 down: aa: Friends doesn't respond (timed out after 10 s)
→ 5 down: aa: Stories: love: “it works” doesn't hold (1 scenario)
→ 21 up: aa: Friends responds again after 15 min
→ 21 up: aa: "love" has recovered in Stories after 15 min

all areas have one address: errors of one area are not said of the others, and another that joins in is told
aa at h/
aa/friends 5–20 500; aa/stories 10–30 500; all 0–40 played
→ 5 down: aa: Friends answers 500
→ 10 more: aa: Friends and Stories answer 500; 2 scenarios in all
→ 31 up: aa: Friends and Stories work again after 25 min

all areas have one address: one area answers with errors, and one operation of another area: two causes, two incidents
aa at h/; block in friends; love in stories
aa/friends 5–20 500; aa/stories/love 10–30 500; all 0–40 played
→ 5 down: aa: Friends answers 500
→ 10 down: aa: Stories: love answers 500 (1 scenario)
→ 21 up: aa: Friends works again after 15 min
→ 31 up: aa: "love" has recovered in Stories after 20 min

all areas have one address: a token is refused in one of them
aa at h/
aa/friends 5–20 401; all 0–30 played
→ 5 down: aa: ACCESS_TOKEN is refused (401) in Friends
→ 21 up: aa: ACCESS_TOKEN is accepted again after 15 min

all areas have one address that refuses connections: all of them are down
aa at h/
aa/friends 5–20 refused; aa/stories 10–20 refused; all 0–30 played
→ 5 down: aa: h can't be reached: connection refused
→ 21 up: aa: h can be reached again after 15 min
`);

testStories(
  `
a host goes with four environments that run every five minutes: one down, one more, one up
aa, bb, cc, dd at h
aa 5–20; bb 6–21; cc 8–21; dd 9–21; all 0–30 played
→ 5 down: aa: h can't be reached: connection refused
→ 11 more: bb, cc and dd: h can't be reached: connection refused; aa is still down
→ 22 up: aa, bb and 2 more environments: h can be reached again after 16 min
`,
  { options: { everyMs: 5 * MINUTE } },
);

const DAY = 1_440 * MINUTE;
const BROKEN = 'aa at h; block in friends; aa/friends 5–15 broken';
const JUDGED_AGAIN = 'aa at h; block in friends; aa 5–38 unknown';
for (const [name, story, at, expected] of [
  ['before an outage', BROKEN, 3, ['5 down', '16 up', '10 min']],
  ['in an outage', BROKEN, 8, ['5 down', '16 up', '10 min']],
  ['at its end', BROKEN, 15, ['5 down', '16 up', '10 min']],
  ['after it', BROKEN, 20, ['5 down', '16 up', '10 min']],
  ['while nothing can be judged', JUDGED_AGAIN, 8, ['20 down', '38 up', '33 min']],
] as const)
  test(`a clock that is set ${name}: no false flip, no lost notice, and the true duration`, () => {
    for (const set of ['set+1440', 'set-1440', 'set-60']) {
      const { headlines, unsettled } = tellOutages(`${story}; all ${at}–${at + 1} ${set}`);
      const said = [...headlines.map((line) => line.split(':')[0]), /after (.*)$/.exec(headlines.at(-1) ?? '')?.[1]];
      assert.deepEqual([said, unsettled], [expected, 0], `${set}: ${headlines}`);
    }
  });

test('channels with equal CHANNELS are one route, with a memory of its own: the first notice of production is a down, though staging began', () => {
  const routes = new Map([
    ['pagerduty', ['prod']],
    ['teams', ['prod']],
  ]);
  const { heard } = tellOutages('staging, prod at h; staging 5–30; prod 20–40; all 0–50 played', {
    options: { channels: ['webhook', 'pagerduty', 'teams'], routes },
  });
  const ofProduction = ['20 down: prod', '41 up: prod'];
  const ofAll = ['5 down: staging', '20 more: prod', '41 up: staging and prod'];
  assert.deepEqual(heard, { webhook: ofAll, pagerduty: ofProduction, teams: ofProduction });
});

test('a route that is new begins without a memory: what is down is told it as down, and nothing is up for it that was not down', () => {
  const story = 'aa, bb at h; block in friends; aa/friends 5–9 broken; bb/friends 5–25 500; all 0–30 played';
  const { heard } = tellOutages(story, {
    options: { channels: ['webhook', 'slack'] },
    rerouted: { at: 10, routes: new Map([['slack', ['aa', 'bb']]]) },
  });
  assert.deepEqual(heard, {
    webhook: ['5 down: aa', '5 down: bb', '10 up: aa', '26 up: bb'],
    slack: ['5 down: aa', '5 down: bb', '10 down: bb', '26 up: bb'],
  });
});

test('a route that the settings take away keeps no incident from its end', () => {
  const story = 'aa at h; block in friends; aa/friends 1–6 broken; all 0–20 played';
  const options = { rule: { downAfter: 1, upAfter: 1, remindAfterMs: 180 * MINUTE, gatherMs: MINUTE } };
  const rerouted = { at: 6, routes: new Map([['webhook', ['a*']]]) };
  const { headlines, unsettled } = tellOutages(story, { options, rerouted });
  assert.deepEqual([headlines.length, unsettled], [1, 0]);
});

/**
 * The worst case: a scenario fails again as soon as a notice has reported its recovery. Returns the notices about one cause on the day with
 * the most of them.
 */
function worstDay(t: TestContext, ending: Trouble): SentNotice[] {
  const played = new PlayedOutages({ aa: { host: 'h' } });
  t.after(() => played.end());
  const scenario = { environment: 'aa', area: 'friends', title: 'block' } as const;
  const start = Date.parse('2026-11-20T00:00:00Z');
  played.start([scenario], start);
  const all: SentNotice[] = [];
  let isDown = true;
  for (let minute = 0; minute < 2 * 1_440; minute++) {
    played.minute(start + minute * MINUTE, () => (isDown ? 'broken' : ending === 'unknown' ? 'unknown' : undefined));
    const headlines = played.notices();
    all.push(...headlines);
    const last = headlines.filter(({ notice }) => notice.cause.kind === 'operation').at(-1)?.notice.kind;
    if (last !== undefined || !isDown) isDown = last === 'up';
  }
  const incidents = Map.groupBy(all, ({ notice, at }) => `${notice.cause.kind} ${Math.floor((at - start) / DAY)}`);
  return [...incidents.values()].sort((a, b) => b.length - a.length)[0] ?? [];
}

for (const ending of ['broken', 'unknown'] as const)
  test(`at most 40 notices a day for one cause and route, however it flaps (${ending})`, (t) => {
    const { length } = worstDay(t, ending);
    assert.ok(length > 10 && length <= 40, `${length} notices`);
  });

test('acknowledging silences reminders, until something else breaks', () => {
  const story = 'aa, bb at h; block in friends; aa 5–800; bb 300–800; all 8–9 acknowledged; all 0–700 played';
  const kinds = tellOutages(story).headlines.map((line) => line.split(':')[0]);
  assert.deepEqual(kinds, ['5 down', '300 more', '480 still', '660 still']);
});

const quickReminders = { downAfter: 1, upAfter: 2, remindAfterMs: 10 * MINUTE, gatherMs: MINUTE };

testStories(
  `
a reminder while it flaps: for how long it is down now, and no recovery that is not believed
aa at h; block, list in friends
aa/friends/block 5–10 broken; aa/friends/block 20–25 broken; aa/friends 40–46 broken; aa/friends/block 48–60 broken; all 0–52 played
→ 5 down: aa: Friends: block: “it works” doesn't hold (1 scenario)
→ 11 up: aa: "block" has recovered in Friends after 5 min
→ 20 down: aa: Friends: block: “it works” doesn't hold (1 scenario)
→ 26 up: aa: "block" has recovered in Friends after 5 min
→ 40 down: aa: Friends: block: “it works” doesn't hold (2 scenarios)
→ 50 still: aa: Friends: block: “it works” doesn't hold (1 scenario), for 2 min
`,
  { options: { rule: quickReminders } },
);
