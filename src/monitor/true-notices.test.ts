import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MINUTE } from '../testing/monitor/played-outages.ts';
import { tellOutages, testStories } from '../testing/monitor/tell-outages.ts';

testStories(`
one host goes with four environments: each that comes back is told, and of the last one a reminder
aa, bb, cc, dd at h
aa 5–15; bb 5–16; cc 5–230; dd 6–15; all 0–240 played
→ 5 down: aa, bb and cc: nothing answers at h (refused)
→ 6 more: dd: nothing answers at h (ALL of ALL addresses refused); aa, bb and cc have been down for 1 min
→ 17 part: aa and dd are back; cc has been down for 12 min 20 s
→ 18 part: bb is back; cc has been down for 13 min 20 s
→ 198 still: cc: nothing has answered at h for 3 h 13 min (ALL of ALL addresses refused)
→ 231 up: cc: connections to h succeed again after 3 h 45 min

A is down, B goes down later and comes back: only B has recovered
aa, bb at h
aa 5–200; bb 60–70; all 0–90 played
→ 5 down: aa: nothing answers at h (ALL of ALL addresses refused)
→ 60 down: bb: nothing answers at h (ALL of ALL addresses refused)
→ 71 up: bb: connections to h succeed again after 10 min

A and B go down together; A recovers, and fails again while B is down: told again, and reminded of, whatever was acknowledged before
aa, bb at h
aa 5–20; aa 60–400; bb 5–400; all 30–31 acknowledged; all 0–245 played
→ 5 down: aa and bb: nothing answers at h (refused)
→ 22 part: aa is back; bb has been down for 17 min 20 s
→ 60 more: aa: nothing answers at h (ALL of ALL addresses refused); bb has been down for 55 min
→ 240 still: aa and bb: nothing has answered at h for 3 h 55 min (refused)

one environment: Friends stays down, Stories recovers and fails again
aa at h
aa/friends 5–400; aa/stories 5–20; aa/stories 60–400; all 0–70 played
→ 5 down: aa: nothing answers at h (Friends, Stories: 2 of ALL addresses refused)
→ 22 part: aa: "love" is back; "block" has been failing for 17 min 20 s
→ 60 more: aa: nothing answers at h (now Friends, Stories: 2 of ALL addresses refused)

one area fails again before its recovery was told, and now everything does: what was not told of it is no less news
aa, bb at h
aa/friends 5–6; aa/friends 20–21; aa 24–60; bb 24–60; all 0–30 played
→ 5 down: aa: nothing answers at h (Friends: 1 of ALL addresses refused)
→ 7 up: aa: connections to h succeed again after 1 min
→ 20 down: aa: nothing answers at h (Friends: 1 of ALL addresses refused)
→ 24 more: aa and bb: nothing answers at h (refused)

what is down is renamed: its incident ends, and the next outage is told
aa at h
aa/friends/block 5–30 broken; aa/friends/block 60–70 broken; aa/friends/block 10–40 unchosen; all 0–90 played
→ 5 down: aa: Friends: block breaks “it works” (1 scenario)
→ 10 over: aa: "block" is no longer monitored, after 5 min
→ 60 down: aa: Friends: block breaks “it works” (1 scenario)
→ 76 up: aa: "block" has recovered in Friends after 10 min

down, recovered and failed again inside a maintenance window: what is true at its end, once
aa at h
aa 5–40; aa 60–120; aa 30–90 maintenance; all 0–130 played
→ 5 down: aa: nothing answers at h (ALL of ALL addresses refused)
→ 90 more: aa: nothing answers at h (now ALL of ALL addresses refused)
→ 126 up: aa: connections to h succeed again after 1 h

down before a maintenance window, over inside it: told at its end, once
aa at h
aa 5–40; aa 30–90 maintenance; all 0–100 played
→ 5 down: aa: nothing answers at h (ALL of ALL addresses refused)
→ 90 up: aa: connections to h succeed again after 35 min

two environments are back while one is in maintenance: of the other that is told at once
aa, bb at h
aa 5–20; bb 5–20; aa 10–100 maintenance; all 0–110 played
→ 5 down: aa and bb: nothing answers at h (refused)
→ 22 part: bb is back; the rest is in maintenance
→ 100 up: aa: connections to h succeed again after 15 min

what flaps keeps back no recovery of what failed with it once
aa at h; block, list in friends
aa/friends/block 5–10 broken; aa/friends/block 20–25 broken; aa/friends 40–45 broken; all 0–60 played
→ 5 down: aa: Friends: block breaks “it works” (1 scenario)
→ 11 up: aa: "block" has recovered in Friends after 5 min
→ 20 down: aa: Friends: block breaks “it works” (1 scenario)
→ 31 up: aa: "block" has recovered in Friends after 5 min
→ 40 down: aa: Friends: block breaks “it works” (1 scenario)
→ 41 more: aa: Friends: block breaks “it works” (1 scenario); 2 scenarios are failing now
→ 47 part: aa: "list" is back; "block" is flapping
→ 56 up: aa: "block" has recovered in Friends after 5 min

what flaps together is told to be back together
aa at h; block, list in friends
aa/friends/block 5–10 broken; aa/friends/list 5–11 broken; aa/friends/block 20–25 broken; aa/friends/list 20–26 broken; all 0–60 played
→ 5 down: aa: Friends: block breaks “it works” (1 scenario)
→ 6 more: aa: Friends: block breaks “it works” (1 scenario); 2 scenarios are failing now
→ 12 up: aa: both scenarios have recovered in Friends after 6 min
→ 20 down: aa: Friends: block breaks “it works” (1 scenario)
→ 21 more: aa: Friends: block breaks “it works” (1 scenario); 2 scenarios are failing now
→ 32 up: aa: both scenarios have recovered in Friends after 6 min

what can no longer be judged is told, as one thing, and so is that it is judged again
aa, bb at h
aa 5–40 unknown; bb 5–40 unknown; all 0–50 played
→ 20 down: aa: "block" can't be judged in Friends: the suite could not judge: throttled (429)
→ 21 more: bb: 2 scenarios can't be judged in Friends and Stories: the suite could not judge: throttled (429); aa: 2 scenarios have not been judged for 16 min
→ 40 up: aa and bb: all 4 scenarios can be judged again in Friends and Stories after 35 min

what can no longer run is told once, with the reason, and not reminded of
aa at h
aa/friends 5–300 skipped; all 0–302 played
→ 5 down: aa: "block" can no longer run in Friends: needs a stored item
→ 300 up: aa: "block" can run again in Friends after 4 h 55 min

what was proven and is not any more is not judged; what was down then ends as that
aa at h
aa/friends 5–40 unproven; aa/stories 5–10 broken; aa/stories 10–40 unknown; all 0–50 played
→ 5 down: aa: Stories: love breaks “it works” (1 scenario)
→ 20 down: aa: "block" can't be judged in Friends: accepted, and refused nowhere else
→ 25 over: aa: "love" can't be judged any more, after 5 min
→ 25 more: aa: more scenarios can't be judged in Friends and Stories, 2 now: the suite could not judge: throttled (429)
→ 40 up: aa: both scenarios can be judged again in Friends and Stories after 35 min

what never proved anything, and was down in an outage, is neither down nor missed when that is over
aa at h
aa/friends 0–5 unproven; aa/friends 5–10 broken; aa/friends 10–90 unproven; all 0–80 played
→ 5 down: aa: Friends: block breaks “it works” (1 scenario)
→ 11 over: aa: "block" can't be proved here, as before, after 5 min
`);

const DAY = 1_440 * MINUTE;
for (const ms of [DAY, -DAY])
  for (const [when, at, also] of [
    ['not at all', 99, []],
    ['before an outage', 3, []],
    // Nobody knows how long it really was: that it is still down is true.
    ['in an outage', 8, ['8 still']],
    // Its first good run confirms nothing yet.
    ['at its end', 15, ['15 still']],
    ['while its recovery settles', 16, []],
    ['after it', 20, []],
  ] as const)
    test(`a clock that is set a day ${ms > 0 ? 'forward' : 'back'} ${when}: no false flip, no lost notice, no negative duration`, (t) => {
      const { told, open } = tellOutages(t, 'aa at h; block in friends; aa/friends 5–15 broken', { jump: [at, ms] });
      assert.deepEqual([told.map((line) => line.split(':')[0]), open], [['5 down', ...also, '16 up'], 0]);
    });

test('a clock that is set back holds back neither an escalation, nor a recovery beside what is down, nor that nothing can be judged', (t) => {
  const routes = { afterMs: new Map([['pagerduty', 15 * MINUTE]]) };
  const tell = (story: string, minute: number, back: number) =>
    tellOutages(t, `aa at h; ${story}; all 0–50 played`, {
      jump: [minute, -back],
      options: { channels: ['webhook', 'pagerduty'], routes },
    }).notices.map(({ minute, channel, kind }) => `${minute} ${channel} ${kind}`);
  for (const back of [60 * MINUTE, DAY]) {
    const escalated = tell('aa/friends 5–40 broken', 8, back);
    assert.ok(escalated.includes('8 pagerduty down'), `${escalated}`);
    const recovered = tell('aa/friends 5–40; aa/stories 5–20', 22, back);
    assert.ok(recovered.includes('22 webhook part'), `${recovered}`);
    const unjudged = tell('aa 5–40 unknown', 8, back);
    assert.ok(unjudged.includes('23 webhook down'), `${unjudged}`);
  }
});

test('what fails after the clock was set back is not acknowledged by what was acknowledged before, also after a restart', (t) => {
  const story = `aa at h; block in friends; love in stories; view in profile; aa/friends 5–60; all 8–9 acknowledged;
    aa/stories 12–60; aa/profile/view 20–21 unchosen; all 0–50 played`.replace(/\s+/g, ' ');
  const { notices } = tellOutages(t, story, {
    jump: [10, -DAY],
    options: { channels: ['pagerduty'], routes: { afterMs: new Map([['pagerduty', 15 * MINUTE]]) } },
  });
  assert.deepEqual(
    notices.map(({ minute, kind, scenarios }) => [minute, kind, scenarios.map(({ title }) => title).join()]),
    [[27, 'down', 'love']],
  );
});

test('what is down for a moment, and then not judged, again and again, is told as down, and reminded of', (t) => {
  for (const up of [0, 6]) {
    const spans = Array.from({ length: 38 }, (_, index) => {
      const at = index * (18 + up) + 1;
      return `aa/friends ${at}–${at + 2} broken; aa/friends ${at + 2}–${at + 18} unknown`;
    });
    const { told } = tellOutages(t, `aa at h; block in friends; ${spans.join('; ')}; all 0–680 played`);
    assert.ok(told.length <= 12 && told.at(-1)?.includes(' still: '), told.join('\n'));
  }
});

test('what flaps is escalated when nobody took it on for so long, though no single failure lasts; what was acknowledged waits anew', (t) => {
  const flapping = Array.from({ length: 8 }, (_, index) => `aa/friends ${5 + index * 13}–${15 + index * 13} broken`);
  const story = `aa at h; block in friends; ${flapping.join('; ')}; all 0–110 played`;
  const options = { channels: ['webhook', 'pagerduty'], routes: { afterMs: new Map([['pagerduty', 15 * MINUTE]]) } };
  const told = (more: string) =>
    tellOutages(t, story + more, { options }).notices.map(
      ({ minute, channel, kind }) => `${minute} ${channel} ${kind}`,
    );
  // Its first recovery was told, and those since are not believed.
  assert.deepEqual(told(''), ['5 webhook down', '16 webhook up', '18 webhook down', '33 pagerduty down']);
  assert.deepEqual(told('; all 20–21 acknowledged').slice(3), ['46 pagerduty down']);
});
