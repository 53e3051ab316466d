import { globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectRoot } from '../src/config/project-root.ts';
import { groupsOf } from './test-runner/groups.ts';
import { runTestFiles } from './test-runner/test-file.ts';
import { add, type Counts, counted, play, type Work } from './test-runner/work.ts';

/**
 * hermetic: `*.test.ts`, about a minute in all · program: `*.program.test.ts`, which start the program, a test runner, a browser or
 * another program as children, or play the whole suite or hundreds of worlds. Neither needs a network but loopback, and neither leaves
 * anything behind.
 */
export type Kind = 'hermetic' | 'program';

const isProgram = (file: string) => file.endsWith('.program.test.ts');

/** They wait more than they compute: for deadlines, for a list that lags, for the processes that they start. The longest first. */
const WAITING = [
  'src/survey/strangers',
  'src/runner/strangers',
  'src/cli/drill/drill',
  'src/runner/misbehaviours',
  'tools/deploy/end-to-end/end-to-end',
  'tools/test-runner',
  'src/drill/service/drill-service',
];

/** The longest first, so that none runs alone at the end; each run prints those that took longest. */
const LONGEST = [
  'tools/drill/drill',
  'src/cli/canary',
  'tools/image/image',
  'tools/package/package',
  'src/monitor/status-page/page',
  'src/cli/commands/test',
  'tools/deploy/rules',
  'src/cli/fuzz',
];

/** How many begin with those that wait, and as many with the others; whoever has none left goes on with what there is. */
const WIDTH = 3;

/** Program tests are long, and so are those that are listed. */
const isLong = (file: string) => place(file) <= WAITING.length + LONGEST.length;
const isWaiting = (file: string) => WAITING.some((start) => file.startsWith(start));

function place(file: string): number {
  const listed = [...WAITING, ...LONGEST].findIndex((start) => file.startsWith(start));
  return listed >= 0 ? listed : WAITING.length + LONGEST.length + Number(!isProgram(file));
}

/**
 * Runs the tests next to the code, or those of them that a pattern matches; `beside` shares the pool with them, whose processes it would
 * otherwise wait for, and begins first.
 */
export async function runTests(
  kinds: readonly Kind[],
  patterns: readonly string[] = ['**/*.test.ts'],
  beside: readonly Work[] = [],
): Promise<Counts> {
  const matched = (pattern: string) =>
    globSync(pattern, { cwd: projectRoot, exclude: ['node_modules', 'results'] }).filter((file) =>
      kinds.includes(isProgram(file) ? 'program' : 'hermetic'),
    );
  const idle = patterns.filter((pattern) => matched(pattern).length === 0);
  if (idle.length > 0) {
    process.stdout.write(`FAILED no ${kinds.join(' or ')} test file matches ${idle.join(', ')}\n`);
    return { passed: 0, failed: idle.length, skipped: 0 };
  }
  const files = [...new Set(patterns.flatMap(matched))].sort((a, b) => place(a) - place(b) || a.localeCompare(b));
  // Each file is a process, and most of its time is the compilation of the same modules; a copy of the project has them elsewhere.
  process.env.NODE_COMPILE_CACHE ??= join(projectRoot, 'node_modules', '.cache', 'tests');
  process.env.NODE_COMPILE_CACHE_PORTABLE = '1';
  const folder = mkdtempSync(join(tmpdir(), 'sextant-tests-'));
  try {
    const inOrder = groupsOf(files, isLong).sort(
      ([a = '', ...as], [b = '', ...bs]) => place(a) - place(b) || bs.length - as.length,
    );
    const groups = inOrder.map((group) => ({
      name: group.length === 1 ? (group[0] ?? '') : `${group[0]} and ${group.length - 1} more`,
      run: () => runTestFiles(group, folder),
    }));
    const { true: waiting = [], false: others = [] } = Object.groupBy(groups, ({ name }) => `${isWaiting(name)}`);
    const results: Awaited<ReturnType<typeof play>>[] = [];
    const computing = [...beside, ...others];
    const playAll = async (first: Work[], then: Work[]) => {
      for (let next = first.shift() ?? then.shift(); next; next = first.shift() ?? then.shift())
        results.push(await play(next));
    };
    await Promise.all([
      ...Array.from({ length: WIDTH }, () => playAll(waiting, computing)),
      ...Array.from({ length: WIDTH }, () => playAll(computing, waiting)),
    ]);
    // Where the time goes, for who wants less of it.
    const slowest = results.toSorted((a, b) => b.seconds - a.seconds).slice(0, 10);
    const rows = slowest.map(({ name, seconds }) => `  ${seconds.toFixed(1).padStart(6)} s  ${name}\n`);
    process.stdout.write(`slowest ten:\n${rows.join('')}`);
    return add(...results.map(({ counts }) => counts));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

if (import.meta.main) {
  const words = process.argv.slice(2);
  const isProgramRun = words[0] === 'program';
  const patterns = isProgramRun ? words.slice(1) : words;
  const counts = await runTests([isProgramRun ? 'program' : 'hermetic'], patterns.length > 0 ? patterns : undefined);
  process.stdout.write(`${counted(counts)}\n`);
  process.exitCode = counts.failed > 0 || counts.passed === 0 ? 1 : 0;
}
