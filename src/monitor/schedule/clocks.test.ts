import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { FakeClock } from '../../testing/monitor/fake-clock.ts';
import { Scheduler } from './scheduler.ts';

const DAY = 86_400_000;

/** Possible clock changes. */
type Event =
  | { readonly kind: 'pass'; readonly ms: number }
  | { readonly kind: 'sleep'; readonly ms: number; readonly countedByMono: boolean }
  | { readonly kind: 'jump'; readonly ms: number };

const event: fc.Arbitrary<Event> = fc.oneof(
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

const INTERVALS = [5_000, 30_000, 60_000];

/** Lets a scheduler live through events; returns what its jobs saw. `takesMs` is how long a run takes. */
async function live(events: readonly Event[], takesMs: number) {
  const clock = new FakeClock(1_800_000_000_000);
  const jobs = INTERVALS.map((intervalMs) => ({
    intervalMs,
    starts: [] as number[],
    atOnce: 0,
    most: 0,
    skipped: 0,
    missed: 0,
  }));
  const scheduler = new Scheduler(
    clock,
    jobs.map((job) => ({
      intervalMs: job.intervalMs,
      run: (planned: number) => {
        assert.ok(Number.isFinite(planned));
        job.starts.push(clock.mono());
        job.most = Math.max(job.most, ++job.atOnce);
        return new Promise<undefined>((resolve) => clock.after(takesMs, () => resolve(void job.atOnce--)));
      },
      dropped: ({ skipped, missed }: { skipped: number; missed: number }) => {
        assert.ok(skipped >= 0 && missed >= 0 && Number.isInteger(skipped) && Number.isInteger(missed));
        job.skipped += skipped;
        job.missed += missed;
      },
    })),
  );
  scheduler.start();
  for (const each of events) {
    if (each.kind === 'pass') await clock.pass(each.ms);
    else if (each.kind === 'sleep') clock.sleep(each.ms, each);
    else clock.jump(each.ms);
  }
  // It continues in any case.
  const before = jobs.map(({ starts }) => starts.length);
  await clock.pass(2 * Math.max(...INTERVALS) + takesMs + 2_000);
  const goesOn = jobs.every(({ starts }, index) => starts.length > (before[index] ?? 0));
  return { jobs, goesOn, ranMs: clock.mono() };
}

const events = fc.array(event, { maxLength: 12 });
const takes = fc.constantFrom(1, 900, 7_000);

test('whatever the clocks do, no burst, no two at once, no standstill', async () => {
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
    }),
    { numRuns: 60, seed: 13 },
  );
});

test('a calendar that jumps moves no start: with and without the jumps they are the same', async () => {
  await fc.assert(
    fc.asyncProperty(events, takes, async (all, takesMs) => {
      // To the monotonic clock, a sleep that it doesn't count is a jump as well.
      const calm = all.filter((each) => each.kind === 'pass' || (each.kind === 'sleep' && each.countedByMono));
      const starts = async (some: readonly Event[]) => (await live(some, takesMs)).jobs.map((job) => job.starts);
      assert.deepEqual(await starts(all), await starts(calm));
    }),
    { numRuns: 40, seed: 13 },
  );
});
