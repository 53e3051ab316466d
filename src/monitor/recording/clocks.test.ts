import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { MINUTE, PlayedOutages, type Trouble } from '../../testing/monitor/played-outages.ts';
import type { Notice } from '../alerting/notice.ts';
import { flips } from '../history/incidents.ts';
import type { Monitor } from '../monitor.ts';
import { figuresReader, ranges, windowsOf } from '../status-page/figures.ts';
import { scenarioPage } from '../status-page/scenario.ts';
import type { RunRecorder } from './run-recorder.ts';

const DAY = 1_440 * MINUTE;
const START = Date.parse('2026-03-28T12:00:00Z');

/** A run, this long after the one before by the calendar: a step back is a calendar that was set. */
const step = fc.record({
  ms: fc.oneof(
    { weight: 6, arbitrary: fc.constant(MINUTE) },
    { weight: 1, arbitrary: fc.integer({ min: -500 * DAY, max: 500 * DAY }) },
    // Daylight saving on a clock set to local time.
    { weight: 1, arbitrary: fc.constantFrom(-60 * MINUTE, 60 * MINUTE) },
  ),
  trouble: fc.constantFrom<(Trouble | undefined)[]>(undefined, undefined, 'broken', 'broken', 'unknown', 'slow'),
});

test('whatever the calendar does, the history adds up, and no notice is nonsense', () => {
  const maintenance = [{ pattern: '0 2 * * SUN', timeZone: 'Europe/Berlin', durationMs: 120 * MINUTE }];
  const rule = { downAfter: 1, upAfter: 1, remindAfterMs: 360 * MINUTE, gatherMs: MINUTE };
  const block = [{ environment: 'e', title: 'block', area: 'friends' as const }];
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 40 }), (steps) => {
      const played = new PlayedOutages({ e: { host: 'h', maintenance } }, { rule });
      try {
        played.start(block, START);
        let now = START;
        for (const { ms, trouble } of steps) {
          now = Math.max(0, now + ms);
          played.minute(now, () => trouble);
          check(played.recorder, now);
        }
        const runs = (size: number) =>
          Number(played.recorder.db.get('SELECT total(runs) AS runs FROM rollup WHERE size = ?', size)?.runs);
        assert.deepEqual([runs(60 * MINUTE), runs(DAY)], [steps.length, steps.length]);
        const before = played.recorder.incidents.all;
        played.start(block, now);
        assert.deepEqual(played.recorder.incidents.all, before, 'a restart knows the same');
      } finally {
        played.end();
      }
    }),
    { numRuns: 40, seed: 13 },
  );
});

function check(made: RunRecorder, now: number): void {
  const all = flips(made.db);
  for (const [index, { from, to }] of all.entries()) {
    assert.notEqual(from, to);
    if (index > 0) assert.equal(from, all[index - 1]?.to);
  }
  for (const { since, until } of made.incidents.all)
    assert.ok(until === undefined || until >= since, 'it ended before it began');
  const notices = made.db
    .all('SELECT body FROM notice ORDER BY id')
    .map(({ body }) => JSON.parse(String(body)) as Notice);
  const seen = new Map<string, string[]>();
  for (const { incident, kind, durationMs, headline } of notices) {
    assert.ok(durationMs >= 0);
    assert.doesNotMatch(headline, /NaN|Infinity|-\d+ (s|min|h|d)/);
    seen.set(incident, [...(seen.get(incident) ?? []), kind]);
  }
  for (const kinds of seen.values()) {
    assert.equal(kinds[0], 'down');
    assert.ok(kinds.filter((kind) => kind === 'down').length === 1 && !kinds.slice(0, -1).includes('up'), kinds.join());
  }
  const [known] = made.scenarios.monitored;
  assert.ok(known);
  for (const { ratio = 0, downMs, observedMs, withoutData } of windowsOf(made.db, known, now)) {
    assert.ok(ratio >= 0 && ratio <= 1 && downMs >= 0 && downMs <= observedMs, `${ratio} ${downMs} ${observedMs}`);
    assert.ok(withoutData >= 0 && withoutData <= 1, `${withoutData} of a window without data`);
  }
}

test('a clock that is set a year ahead for a while leaves a gap of that while, and none of its runs is the last one', async (t) => {
  const played = new PlayedOutages({ e: { host: 'h' } });
  t.after(() => played.end());
  played.start([{ environment: 'e', title: 'block', area: 'friends' }], START);
  for (let minute = 0; minute <= 120; minute++) {
    const ahead = minute >= 20 && minute < 30 ? 365 * DAY : 0;
    const isDown = minute >= 60 && minute < 90;
    played.minute(START + minute * MINUTE + ahead, () => (isDown ? 'broken' : ahead > 0 ? 'slow' : undefined));
  }
  const { db, scenarios } = played.recorder;
  const [known = assert.fail()] = scenarios.monitored;
  const now = START + 120 * MINUTE + 1;
  const [day] = windowsOf(db, known, now);
  assert.deepEqual(
    [day?.downMs, day?.observedMs].map((ms = 0) => Math.floor(ms / MINUTE)),
    [30, 110],
  );
  const view = { known, shown: 'up' } as const;
  const figures = await figuresReader(db)(known);
  const monitor = { recorder: played.recorder, settings: { slo: 0.999 } } as unknown as Monitor;
  const { text } = scenarioPage(monitor, { view, figures, range: ranges[0], isPublic: false }, now);
  assert.match(text, /<dt>Last run<\/dt><dd><time datetime="2026-/);
});
