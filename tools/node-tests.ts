import { globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectRoot } from '../src/config/project-root.ts';
import { groupsOf } from './test-runner/groups.ts';
import { pool } from './test-runner/pool.ts';
import { add, type Counts, counted } from './test-runner/steps.ts';
import { runTestFiles } from './test-runner/test-file.ts';

/**
 * hermetic: `*.test.ts`, in one process each, under a minute in all · program: `*.program.test.ts`, which start the program, a
 * test runner, a browser or another program as children. Neither needs a network but loopback, and neither leaves anything behind.
 */
export type Kind = 'hermetic' | 'program';

const isProgram = (file: string) => file.endsWith('.program.test.ts');

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
  'src/cli/fuzz',
  'src/survey/variants',
  'src/survey/endings',
  'src/survey/drift',
  'fixtures/transports',
  'tools/contributing/new',
];

/** They wait more than they compute: for deadlines, and for the processes that they start. */
const WIDTH = 4;

/** Program tests are long, and so are those that are listed. */
const isLong = (file: string) => place(file) <= LONGEST.length;

function place(file: string): number {
  const listed = LONGEST.findIndex((start) => file.startsWith(start));
  if (listed >= 0) return listed;
  return isProgram(file) ? LONGEST.length : LONGEST.length + 1;
}

/** Runs the tests next to the code, except those in files or folders that are named. */
export async function runTests(kinds: readonly Kind[], except: readonly string[] = []): Promise<Counts> {
  const all = globSync('**/*.test.ts', { cwd: projectRoot, exclude: ['node_modules', 'results', ...except] });
  const files = all
    .filter((file) => kinds.includes(isProgram(file) ? 'program' : 'hermetic'))
    .sort((a, b) => place(a) - place(b) || a.localeCompare(b));
  // Each file is a process, and most of its time is the compilation of the same modules.
  process.env.NODE_COMPILE_CACHE ??= join(projectRoot, 'node_modules', '.cache', 'tests');
  const folder = mkdtempSync(join(tmpdir(), 'sextant-tests-'));
  try {
    const results = await pool(groupsOf(files, isLong), WIDTH, async (group) => {
      const start = performance.now();
      const { counts, secondsOf, skipped, output } = await runTestFiles(group, folder);
      const seconds = (performance.now() - start) / 1000;
      const isRed = counts.failed > 0;
      const name = group.length === 1 ? group[0] : `${group[0]} and ${group.length - 1} more`;
      process.stdout.write(`${isRed ? 'FAILED' : 'ok    '} ${name}: ${counted(counts)} (${seconds.toFixed(1)} s)\n`);
      for (const each of skipped) process.stdout.write(`         skipped ${each}\n`);
      if (isRed) process.stdout.write(`${output}\n`);
      const own = group.map((file) => ({ file, seconds: secondsOf.get(join(projectRoot, file)) ?? seconds }));
      return { counts, files: group.length === 1 ? [{ file: group[0] as string, seconds }] : own };
    });
    process.stdout.write(`${longest(results.flatMap((each) => each.files))}\n`);
    return add(...results.map(({ counts }) => counts));
  } finally {
    rmSync(folder, { recursive: true });
  }
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
  const counts = await runTests([kind === 'program' ? 'program' : 'hermetic'], except);
  process.stdout.write(`${counted(counts)}\n`);
  process.exitCode = counts.failed > 0 || counts.passed === 0 ? 1 : 0;
}
