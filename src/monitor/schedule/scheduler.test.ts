import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { FakeClock } from '../../testing/monitor/fake-clock.ts';
import { Scheduler, slots } from './scheduler.ts';

/** A scheduler of a job for each interval, and what it saw; its runs take `takesMs`, and ask to run again after `againMs`. */
function watch(clock: FakeClock, intervalsMs: readonly number[], takesMs = 0, againMs?: number) {
  const seen = intervalsMs.map((intervalMs) => ({
    intervalMs,
    starts: [] as number[],
    planned: [] as number[],
    atOnce: 0,
    most: 0,
    skipped: 0,
    missed: 0,
  }));
  const jobs = seen.map((one) => ({
    intervalMs: one.intervalMs,
    run: (planned: number) => {
      assert.ok(Number.isFinite(planned));
      one.starts.push(clock.mono());
      one.planned.push(planned);
      one.most = Math.max(one.most, ++one.atOnce);
      return new Promise<number | undefined>((resolve) => {
        const end = () => {
          one.atOnce--;
          resolve(againMs);
        };
        if (takesMs === 0) end();
        else clock.after(takesMs, end);
      });
    },
    dropped: ({ skipped, missed }: { skipped: number; missed: number }) => {
      assert.ok(skipped >= 0 && missed >= 0 && Number.isInteger(skipped) && Number.isInteger(missed));
      one.skipped += skipped;
      one.missed += missed;
    },
  }));
  const scheduler = new Scheduler(clock, jobs);
  scheduler.start();
  const [first = assert.fail()] = seen;
  return { seen, first, scheduler };
}

/** From each start to the next. */
function gapsOf(starts: readonly number[]): number[] {
  return starts.slice(1).map((at, index) => at - (starts[index] ?? 0));
}

test('a first round at once, then starts spread over the interval', async () => {
  const clock = new FakeClock();
  const { seen } = watch(clock, Array(6).fill(60_000));
  await clock.pass(5_000);
  for (const { starts } of seen) assert.equal(starts.length, 1);
  await clock.pass(175_000);
  const second = seen.map(({ starts }) => starts[1] ?? 0);
  assert.equal(new Set(second.map((at) => Math.round(at / 1000))).size, 6, `spread: ${second}`);
  for (const { starts, skipped, missed } of seen) {
    assert.deepEqual([...new Set(gapsOf(starts.slice(1)))], [60_000]);
    assert.deepEqual([skipped, missed], [0, 0]);
  }
});

test('never two runs of one scenario at once: runs planned meanwhile are counted as skipped', async () => {
  const clock = new FakeClock();
  const { first } = watch(clock, [5_000], 12_000);
  await clock.pass(60_000);
  assert.ok(Math.min(...gapsOf(first.starts)) >= 12_000, String(first.starts));
  assert.equal(first.starts.length + first.skipped, 13);
});

for (const countedByMono of [true, false]) {
  test(`an hour of suspension makes one run, not sixty (the monotonic clock ${countedByMono ? 'counts' : 'skips'} it)`, async () => {
    const clock = new FakeClock(1_000_000);
    const { first, scheduler } = watch(clock, [60_000]);
    await clock.pass(30_000);
    const before = scheduler.pauses;
    clock.sleep(3_600_000, { countedByMono });
    await clock.pass(59_000);
    assert.ok(first.starts.length <= 3, `${first.starts.length} starts`);
    assert.ok(first.missed >= 59 && first.missed <= 60, `${first.missed} missed`);
    assert.equal(scheduler.pauses, before + 1);
  });
}

test('a clock set back or ahead moves no start', async () => {
  for (const jump of [-7_200_000, 7_200_000]) {
    const clock = new FakeClock(10_000_000);
    const { first, scheduler } = watch(clock, [60_000]);
    await clock.pass(90_000);
    clock.jump(jump);
    await clock.pass(90_000);
    assert.deepEqual(first.starts, [0, 60_000, 120_000, 180_000]);
    assert.equal(first.planned.at(-1), 10_000_000 + jump + 180_000, 'timestamps follow the wall clock');
    assert.equal(scheduler.pauses, 1);
  }
});

test('stopping waits for runs in progress', async () => {
  const clock = new FakeClock();
  const { first, scheduler } = watch(clock, [60_000], 5_000);
  await clock.pass(1_000);
  let isStopped = false;
  const stopped = scheduler.stop().then(() => {
    isStopped = true;
  });
  await clock.pass(1_000);
  assert.equal(isStopped, false);
  await clock.pass(5_000);
  await stopped;
  await clock.pass(120_000);
  assert.equal(first.starts.length, 1);
});

test('a job that asks to run again soon does, and otherwise keeps to its plan', async () => {
  const clock = new FakeClock();
  const { first, scheduler } = watch(clock, [3_600_000], 0, 60_000);
  await clock.pass(200_000);
  assert.deepEqual(
    first.starts.map((at) => Math.round(at / 60_000)),
    [0, 1, 2, 3],
  );
  assert.deepEqual([first.skipped, first.missed], [0, 0]);
  await scheduler.stop();
  const late = new FakeClock();
  const kept = watch(late, [60_000], 0, 3_600_000);
  await late.pass(130_000);
  assert.equal(kept.first.starts.length, 3);
  await kept.scheduler.stop();
});

test('jobs that ask to run again soon move nobody else, and what was missed is counted once', async () => {
  const clock = new FakeClock();
  const again = watch(clock, Array(8).fill(3_600_000), 0, 7_000);
  await clock.pass(700_000);
  for (const { starts, missed } of again.seen) {
    assert.deepEqual([[...new Set(gapsOf(starts))], missed], [[7_000], 0]);
  }
  clock.sleep(2 * 3_600_000, { countedByMono: false });
  await clock.pass(1_000);
  for (const { missed } of again.seen) assert.equal(missed, 2);
  await again.scheduler.stop();
});

const DAY = 86_400_000;

const event = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('pass' as const), ms: fc.integer({ min: 1, max: 200_000 }) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('sleep' as const),
      ms: fc.integer({ min: 1, max: 3 * DAY }),
      countedByMono: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('jump' as const), ms: fc.integer({ min: -400 * DAY, max: 400 * DAY }) }),
  },
);

type Event = typeof event extends fc.Arbitrary<infer E> ? E : never;

const INTERVALS = [5_000, 30_000, 60_000];

/** Lets a scheduler live through events; returns what its jobs saw. `takesMs` is how long a run takes. */
async function live(events: readonly Event[], takesMs: number) {
  const clock = new FakeClock(1_800_000_000_000);
  const { seen } = watch(clock, INTERVALS, takesMs);
  for (const each of events) {
    if (each.kind === 'pass') await clock.pass(each.ms);
    else if (each.kind === 'sleep') clock.sleep(each.ms, each);
    else clock.jump(each.ms);
  }
  // It continues in any case.
  const before = seen.map(({ starts }) => starts.length);
  await clock.pass(2 * Math.max(...INTERVALS) + takesMs + 2_000);
  const goesOn = seen.every(({ starts }, index) => starts.length > (before[index] ?? 0));
  return { jobs: seen, goesOn, ranMs: clock.mono() };
}

const events = fc.array(event, { maxLength: 12 });
const takes = fc.constantFrom(1, 900, 7_000);

test('whatever the clocks do, no burst, no two at once, no standstill; and a calendar that jumps moves no start', async () => {
  await fc.assert(
    fc.asyncProperty(events, takes, async (all, takesMs) => {
      const { jobs, goesOn, ranMs } = await live(all, takesMs);
      assert.ok(goesOn, 'a job was not started any more');
      for (const { intervalMs, starts, most } of jobs) {
        assert.equal(most, 1);
        // Of a window of n intervals, n runs and one at either end.
        for (const [index, at] of starts.entries()) {
          const within = starts.slice(index).filter((other) => other - at < 10 * intervalMs).length;
          assert.ok(within <= 12, `${within} starts within 10 intervals`);
        }
        assert.ok(starts.length <= ranMs / intervalMs + 2);
      }
      // To the monotonic clock, a sleep that it doesn't count is a jump as well.
      const calm = all.filter((each) => each.kind === 'pass' || (each.kind === 'sleep' && each.countedByMono));
      const startsOf = (of: typeof jobs) => of.map(({ starts }) => starts);
      assert.deepEqual(startsOf(jobs), startsOf((await live(calm, takesMs)).jobs));
    }),
    { numRuns: 60, seed: 13 },
  );
});

const MINUTE = 60_000;

const of = (count: number, intervalMs: number) => Array.from({ length: count }, () => intervalMs);
const rows: [name: string, intervalsMs: number[]][] = [
  ['one job', [MINUTE]],
  ['one environment', of(22, MINUTE)],
  ['one environment, every five seconds', of(22, 5_000)],
  ['fifty environments', of(1_100, MINUTE)],
  [
    'fifty environments, where every third run is rare',
    of(1_100, MINUTE).map((ms, index) => ms * (index % 3 ? 1 : 10)),
  ],
  ['two hundred environments', of(4_400, MINUTE)],
];

for (const [name, intervalsMs] of rows)
  test(`starts of ${name} are spread`, () => {
    const found = slots(intervalsMs);
    const shortest = Math.min(...intervalsMs);
    for (const [index, { first, second }] of found.entries()) {
      const intervalMs = intervalsMs[index] as number;
      assert.ok(first < shortest, `job ${index} has to wait ${first} ms for its first run`);
      const gap = (second - first) / intervalMs;
      assert.ok(gap >= 0.25 && gap <= 1.25, `job ${index}: ${gap} intervals between its first two runs`);
    }
    // Every start of the first three minutes, by the second in which it is.
    const bySecond = new Map<number, number>();
    for (const [index, { first, second }] of found.entries()) {
      const starts = [first];
      for (let at = second; at < 3 * MINUTE; at += intervalsMs[index] as number) starts.push(at);
      for (const at of starts) bySecond.set(Math.floor(at / 1_000), (bySecond.get(Math.floor(at / 1_000)) ?? 0) + 1);
    }
    const perSecond = intervalsMs.reduce((sum, ms) => sum + 1_000 / ms, 0);
    // The first round is quicker where there are few: 20 a second, or as many as the shortest interval asks for.
    const atStart = Math.max(20, intervalsMs.length / (shortest / 1_000));
    for (const [second, starts] of bySecond) {
      const most = second * 1_000 < shortest ? atStart + perSecond : perSecond;
      assert.ok(starts <= Math.ceil(most) + 1, `${starts} starts in second ${second}, at most ${most} expected`);
    }
  });
