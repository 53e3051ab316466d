import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { FakeClock } from '../../testing/monitor/fake-clock.ts';
import { Scheduler } from './scheduler.ts';

/** A scheduler with a job for each interval, and a record of the jobs' runs. Each run takes `takesMs`, and asks to run again after `againMs`. */
function watch(clock: FakeClock, intervalsMs: readonly number[], takesMs = 0, againMs?: number) {
  const seen = intervalsMs.map((intervalMs) => ({
    intervalMs,
    starts: [] as number[],
    planned: [] as number[],
    atOnce: 0,
    most: 0,
  }));
  const jobs = seen.map((one) => ({
    intervalMs: one.intervalMs,
    run: (planned: number) => {
      assert.ok(Number.isFinite(planned));
      one.starts.push(clock.steady());
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
  }));
  const scheduler = new Scheduler(clock, jobs);
  scheduler.start();
  const [first = assert.fail()] = seen;
  const hurry = () => scheduler.hurry(jobs[0] ?? assert.fail());
  return { seen, first, scheduler, hurry };
}

const anyEvent = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 1, max: 200_000 }).map((ms) => `pass ${ms / 1_000}`) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.integer({ min: 1, max: 3 * 86_400 }), fc.constantFrom('doze', 'sleep'))
      .map(([s, how]) => `${how} ${s}`),
  },
  { weight: 2, arbitrary: fc.integer({ min: -400 * 86_400, max: 400 * 86_400 }).map((s) => `jump ${s}`) },
);

/**
 * Plays events, in seconds: `pass` lets time pass; `doze` and `sleep` suspend the machine, and the monotonic clock counts only a `doze`; `jump` sets
 * the wall clock.
 */
async function play(clock: FakeClock, events: readonly string[]): Promise<void> {
  for (const event of events) {
    const [what, seconds] = event.split(' ');
    const ms = Number(seconds) * 1_000;
    if (what === 'pass') await clock.pass(ms);
    else if (what === 'jump') clock.jump(ms);
    else clock.sleep(ms, { countedByMono: what === 'doze' });
  }
}

/**
 * Each line is a test: `name: 2 every 60 for 5 again 7; events → starts · pauses`.
 * This means: two jobs, each planned every 60 s. A run takes 5 s (default: 0), and asks to run again after 7 s (default: doesn't ask). The
 * events are those of `play`. Expected are the start times of the first job, in seconds, and the number of pauses.
 */
const stories = `
a run that is planned during another is left out: 1 every 5 for 12; pass 60 → 0 15 30 45 60 · 0
an hour of suspension makes one run, not sixty: 1 every 60; pass 30; doze 3600; pass 59 → 0 3630 3660 · 1
nor where the monotonic clock skips it: 1 every 60; pass 30; sleep 3600; pass 59 → 0 60 · 1
a run that the suspension interrupts knows of it before the next look: 1 every 60; pass 30; doze 3600 → 0 · 1
a clock set back moves no start: 1 every 60; pass 90; jump -7200; pass 90 → 0 60 120 180 · 1
a clock set ahead moves no start: 1 every 60; pass 90; jump 7200; pass 90 → 0 60 120 180 · 1
one that asks to run again soon does: 1 every 3600 again 60; pass 200 → 0 60 120 180 · 0
and otherwise keeps to its plan: 1 every 60 again 3600; pass 130 → 0 60 120 · 0
many that ask move nobody else: 8 every 3600 again 7; pass 30; sleep 7200; pass 7 → 0 7 14 21 28 35 · 1
`;
const STORY = /^(.+): (\d) every (\d+)(?: for (\d+))?(?: again (\d+))?; (.+) → (.+)$/gm;

for (const [, name = '', jobs, every, takes = 0, again, events = '', expected] of stories.matchAll(STORY))
  test(`schedule: ${name}`, async () => {
    const clock = new FakeClock(10_000_000);
    const againMs = again === undefined ? undefined : Number(again) * 1_000;
    const intervalsMs = Array(Number(jobs)).fill(Number(every) * 1_000);
    const { first, scheduler } = watch(clock, intervalsMs, Number(takes) * 1_000, againMs);
    await play(clock, events.split('; '));
    const { pauses } = scheduler;
    const { starts } = first;
    assert.equal(`${starts.map((at) => at / 1_000).join(' ')} · ${pauses}`, expected);
    // Planned times must be times of the wall clock, even if somebody has set it.
    assert.ok(clock.wall() - (first.planned.at(-1) ?? 0) === clock.steady() - (starts.at(-1) ?? 0), `${first.planned}`);
  });

test('a run that is hurried takes place at once, moves no other, and never overlaps', async () => {
  const clock = new FakeClock();
  const { first, scheduler, hurry } = watch(clock, [60_000], 5_000);
  await clock.pass(30_000);
  hurry();
  await clock.pass(1_000);
  hurry();
  await clock.pass(60_000);
  assert.deepEqual([first.starts, first.most], [[0, 30_000, 60_000], 1]);
  await scheduler.stop();
  hurry();
  await clock.pass(60_000);
  assert.equal(first.starts.length, 3);
});

test('stopping waits for runs in progress, and starts no other', async () => {
  const clock = new FakeClock();
  const quick = watch(clock, [60_000]);
  const { first, scheduler } = watch(clock, [60_000], 5_000);
  await clock.pass(1_000);
  await quick.scheduler.stop();
  let isStopped = false;
  const stopped = scheduler.stop().then(() => {
    isStopped = true;
  });
  await clock.pass(1_000);
  assert.equal(isStopped, false);
  await clock.pass(5_000);
  await stopped;
  await clock.pass(120_000);
  assert.deepEqual([first.starts.length, quick.first.starts.length], [1, 1]);
});

const INTERVALS = [5_000, 30_000, 60_000];

/** Runs a scheduler through events; returns the records of its jobs. `takesMs` is how long a run takes. */
async function live(events: readonly string[], takesMs: number) {
  const clock = new FakeClock(1_800_000_000_000);
  const { seen } = watch(clock, INTERVALS, takesMs);
  await play(clock, events);
  // Every job must start again, whatever happened before.
  const before = seen.map(({ starts }) => starts.length);
  await clock.pass(2 * Math.max(...INTERVALS) + takesMs + 2_000);
  const goesOn = seen.every(({ starts }, index) => starts.length > (before[index] ?? 0));
  return { jobs: seen, goesOn, ranMs: clock.steady() };
}

test('whatever the clocks do, no burst, no two at once, no standstill; and a calendar that jumps moves no start', async () => {
  const takes = fc.constantFrom(1, 900, 7_000);
  await fc.assert(
    fc.asyncProperty(fc.array(anyEvent, { maxLength: 12 }), takes, async (all, takesMs) => {
      const { jobs, goesOn, ranMs } = await live(all, takesMs);
      assert.ok(goesOn, 'a job was not started any more');
      for (const { intervalMs, starts, most } of jobs) {
        assert.equal(most, 1);
        // At most 12 starts within ten intervals: one in each interval, and one more at either end.
        for (const [index, at] of starts.entries()) {
          const within = starts.slice(index).filter((other) => other - at < 10 * intervalMs).length;
          assert.ok(within <= 12, `${within} starts within 10 intervals`);
        }
        assert.ok(starts.length <= ranMs / intervalMs + 2);
      }
      // The monotonic clock stands still during a `jump` or a `sleep`, so the jobs must start at the same times without these events.
      const calm = all.filter((event) => /^(pass|doze)/.test(event));
      const startsOf = (of: typeof jobs) => of.map(({ starts }) => starts);
      assert.deepEqual(startsOf(jobs), startsOf((await live(calm, takesMs)).jobs));
    }),
    { numRuns: 60, seed: 13 },
  );
});

test('the first starts of many jobs are spread, and none waits for longer than an interval', async () => {
  const clock = new FakeClock();
  const few = watch(clock, Array(22).fill(60_000));
  const many = watch(clock, Array(1_100).fill(60_000));
  await clock.pass(59_999);
  const firstsOf = ({ seen }: typeof few) => seen.map(({ starts }) => Math.round(starts[0] ?? Number.NaN));
  assert.deepEqual([firstsOf(few).at(-1), firstsOf(many).at(-1)], [4_200, 59_945]);
  assert.deepEqual([new Set(firstsOf(few)).size, new Set(firstsOf(many)).size], [22, 1_100]);
});
