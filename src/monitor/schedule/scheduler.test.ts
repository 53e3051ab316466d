import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeClock } from '../../testing/monitor/fake-clock.ts';
import { Scheduler } from './scheduler.ts';

interface Seen {
  starts: number[];
  planned: number[];
  skipped: number;
  missed: number;
}

function watch(clock: FakeClock, count: number, intervalMs: number, takesMs = 0, againMs?: number) {
  const seen: Seen[] = Array.from({ length: count }, () => ({ starts: [], planned: [], skipped: 0, missed: 0 }));
  const jobs = seen.map((one) => ({
    intervalMs,
    run: (planned: number) => {
      one.starts.push(clock.mono());
      one.planned.push(planned);
      return new Promise<number | undefined>((resolve) => {
        if (takesMs === 0) resolve(againMs);
        else clock.after(takesMs, () => resolve(againMs));
      });
    },
    dropped: ({ skipped, missed }: { skipped: number; missed: number }) => {
      one.skipped += skipped;
      one.missed += missed;
    },
  }));
  const scheduler = new Scheduler(clock, jobs);
  scheduler.start();
  return { seen, scheduler };
}

test('a first round at once, then starts spread over the interval', async () => {
  const clock = new FakeClock();
  const { seen } = watch(clock, 6, 60_000);
  await clock.pass(5_000);
  assert.deepEqual(
    seen.map(({ starts }) => starts.length),
    [1, 1, 1, 1, 1, 1],
  );
  await clock.pass(175_000);
  const second = seen.map(({ starts }) => starts[1] ?? 0);
  assert.equal(new Set(second.map((at) => Math.round(at / 1000))).size, 6, `spread: ${second}`);
  for (const { starts, skipped, missed } of seen) {
    const gaps = starts.slice(2).map((at, index) => at - (starts[index + 1] ?? 0));
    assert.ok(
      gaps.every((gap) => gap === 60_000),
      String(gaps),
    );
    assert.deepEqual([skipped, missed], [0, 0]);
  }
});

test('never two runs of one scenario at once: runs planned meanwhile are counted as skipped', async () => {
  const clock = new FakeClock();
  const { seen } = watch(clock, 1, 5_000, 12_000);
  await clock.pass(60_000);
  const [one] = seen as [Seen];
  const gaps = one.starts.slice(1).map((at, index) => at - (one.starts[index] ?? 0));
  assert.ok(
    gaps.every((gap) => gap >= 12_000),
    String(gaps),
  );
  assert.equal(one.starts.length + one.skipped, 13);
});

for (const countedByMono of [true, false]) {
  test(`an hour of suspension makes one run, not sixty (the monotonic clock ${countedByMono ? 'counts' : 'skips'} it)`, async () => {
    const clock = new FakeClock(1_000_000);
    const { seen, scheduler } = watch(clock, 1, 60_000);
    await clock.pass(30_000);
    const before = scheduler.pauses.count;
    clock.sleep(3_600_000, { countedByMono });
    await clock.pass(59_000);
    const [one] = seen as [Seen];
    assert.ok(one.starts.length <= 3, `${one.starts.length} starts`);
    assert.ok(one.missed >= 59 && one.missed <= 60, `${one.missed} missed`);
    assert.equal(scheduler.pauses.count, before + 1);
  });
}

test('a clock set back or ahead moves no start', async () => {
  for (const jump of [-7_200_000, 7_200_000]) {
    const clock = new FakeClock(10_000_000);
    const { seen, scheduler } = watch(clock, 1, 60_000);
    await clock.pass(90_000);
    clock.jump(jump);
    await clock.pass(90_000);
    const [one] = seen as [Seen];
    assert.deepEqual(one.starts, [0, 60_000, 120_000, 180_000]);
    assert.equal(one.planned.at(-1), 10_000_000 + jump + 180_000, 'timestamps follow the wall clock');
    assert.equal(scheduler.pauses.count, 1);
  }
});

test('stopping waits for runs in progress', async () => {
  const clock = new FakeClock();
  const { seen, scheduler } = watch(clock, 1, 60_000, 5_000);
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
  assert.equal(seen[0]?.starts.length, 1);
});

test('a job that asks to run again soon does, and otherwise keeps to its plan', async () => {
  const clock = new FakeClock();
  const { seen, scheduler } = watch(clock, 1, 3_600_000, 0, 60_000);
  await clock.pass(200_000);
  assert.deepEqual(
    seen[0]?.starts.map((at) => Math.round(at / 60_000)),
    [0, 1, 2, 3],
  );
  assert.deepEqual([seen[0]?.skipped, seen[0]?.missed], [0, 0]);
  await scheduler.stop();
  const late = new FakeClock();
  const kept = watch(late, 1, 60_000, 0, 3_600_000);
  await late.pass(130_000);
  assert.equal(kept.seen[0]?.starts.length, 3);
  await kept.scheduler.stop();
});

test('jobs that ask to run again soon move nobody else, and what was missed is counted once', async () => {
  const clock = new FakeClock();
  const again = watch(clock, 8, 3_600_000, 0, 7_000);
  await clock.pass(700_000);
  for (const { starts, missed } of again.seen) {
    const gaps = starts.slice(1).map((at, index) => at - (starts[index] ?? 0));
    assert.deepEqual([gaps.every((gap) => gap === 7_000), missed], [true, 0], String(gaps));
  }
  clock.sleep(2 * 3_600_000, { countedByMono: false });
  await clock.pass(1_000);
  assert.deepEqual(
    again.seen.map(({ missed }) => missed),
    Array.from(again.seen, () => 2),
  );
  await again.scheduler.stop();
});
