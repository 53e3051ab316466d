import { globSync } from 'node:fs';
import { join, relative } from 'node:path';
import { finished } from 'node:stream/promises';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { projectRoot } from '../src/config/project-root.ts';
import type { Counts } from './steps.ts';

/**
 * hermetic: `*.test.ts`, in one process each, under a minute in all · program: `*.program.test.ts`, which start the program, a
 * test runner, a browser or another program as children. Neither needs a network but loopback, and neither leaves anything behind.
 */
export type Kind = 'hermetic' | 'program';

/** The longest first, so that none runs alone at the end; each run prints those that took longest. */
const LONGEST = [
  'tools/contributing/contributing',
  'src/cli/canary',
  'src/survey/strangers',
  'fixtures/agreement',
  'src/monitor/status-page/three-down',
  'src/cli/commands/report',
  'tools/deploy/end-to-end/end-to-end',
  'src/runner/strangers',
  'src/runner/misbehaviours',
  'src/cli/commands/test',
  'fixtures/spec-mistakes',
  'src/runner/',
  'tools/contributing/',
  'src/reporting/',
];

function longestFirst(a: string, b: string): number {
  const [of, other] = [a, b].map((file) => LONGEST.findIndex((start) => file.startsWith(start)) + 1 || Infinity);
  return of === other ? a.localeCompare(b) : (of ?? 0) - (other ?? 0);
}

/** Runs the tests next to the code, except those in files or folders that are named. */
export async function runTests(kind: Kind, except: readonly string[] = []): Promise<Counts> {
  const all = globSync('**/*.test.ts', { cwd: projectRoot, exclude: ['node_modules', 'results', ...except] });
  const files = all.filter((file) => file.endsWith('.program.test.ts') === (kind === 'program')).sort(longestFirst);
  // Each file is a process, and most of its time is the compilation of the same modules.
  process.env.NODE_COMPILE_CACHE ??= join(projectRoot, 'node_modules', '.cache', 'tests');
  // They wait more than they compute: for deadlines, and for the processes that they start.
  const events = run({ cwd: projectRoot, files, concurrency: 4 });
  const counts = { passed: 0, failed: 0, skipped: 0 };
  const durations: { readonly file: string; readonly seconds: number }[] = [];
  events.on('test:summary', (summary) => {
    if (summary.file !== undefined) {
      durations.push({ file: relative(projectRoot, summary.file), seconds: summary.duration_ms / 1000 });
      return;
    }
    const {
      passed,
      failed = 0,
      cancelled,
      skipped,
      todo,
    } = summary.counts as Record<string, number> & typeof summary.counts;
    Object.assign(counts, { passed, failed: failed + cancelled, skipped: skipped + todo });
    // Older runtimes don't count failures.
    if (summary.success === false && counts.failed === 0) counts.failed = 1;
  });
  let failures = 0;
  events.on('test:fail', ({ details, todo }) => {
    if (details.type !== 'suite' && !todo) failures++;
  });
  const reporter = new spec();
  events.compose(reporter).pipe(process.stdout, { end: false });
  await finished(events);
  process.stdout.write(`${longest(durations)}\n`);
  return { ...counts, failed: Math.max(counts.failed, failures) };
}

/** Where the time goes, for who wants less of it: the ten files that took longest, in seconds. */
function longest(durations: readonly { readonly file: string; readonly seconds: number }[]): string {
  const sorted = [...durations].sort((a, b) => b.seconds - a.seconds).slice(0, 10);
  return [
    'longest files:',
    ...sorted.map(({ file, seconds }) => `  ${seconds.toFixed(1).padStart(6)} s  ${file}`),
  ].join('\n');
}

if (import.meta.main) {
  const [kind, ...except] = process.argv.slice(2);
  const { failed } = await runTests(kind === 'program' ? 'program' : 'hermetic', except);
  process.exitCode = failed > 0 ? 1 : 0;
}
