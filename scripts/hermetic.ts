import { globSync } from 'node:fs';
import { finished } from 'node:stream/promises';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { type Counts, root } from './steps.ts';

/** Runs every `*.test.ts` beside the code it tests. They need no network but loopback and leave nothing behind. */
export async function runHermetic(): Promise<Counts> {
  const files = globSync('**/*.test.ts', { cwd: root, exclude: ['node_modules', 'results'] });
  const events = run({ cwd: root, files, concurrency: 2 });
  const counts = { passed: 0, failed: 0, skipped: 0 };
  events.on('test:summary', (summary) => {
    if (summary.file !== undefined) return;
    const {
      passed,
      failed = 0,
      cancelled,
      skipped,
      todo,
    } = summary.counts as Record<string, number> & typeof summary.counts;
    Object.assign(counts, { passed, failed: failed + cancelled, skipped: skipped + todo });
    // Older runtimes count what failed only by what is left.
    if (summary.success === false && counts.failed === 0) counts.failed = 1;
  });
  let failures = 0;
  events.on('test:fail', ({ details, todo }) => {
    if (details.type !== 'suite' && !todo) failures++;
  });
  const reporter = new spec();
  events.compose(reporter).pipe(process.stdout, { end: false });
  await finished(events);
  return { ...counts, failed: Math.max(counts.failed, failures) };
}

if (import.meta.main) {
  const { failed } = await runHermetic();
  process.exitCode = failed > 0 ? 1 : 0;
}
