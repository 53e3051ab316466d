import { globSync, mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, normalize, relative, resolve } from 'node:path';
import { run } from 'node:test';
import { spec, type TestEvent } from 'node:test/reporters';
import { projectRoot } from '../src/environment/project-root.ts';
import { fastFolder } from '../src/testing/own-folder.ts';
import { plainEnvironment, TEST_LIMIT_MS } from '../src/testing/programs/child.ts';
import { add, type Counts, counted, lineOf } from './work.ts';

/**
 * The kinds of test files. They need no network except loopback, and leave nothing behind.
 * - hermetic: `*.test.ts`, about a minute in all
 * - program: `*.program.test.ts`, which start the program, a test runner, a browser or another program as children, play the whole suite again
 *   and again, hundreds of generated stories, or outages in real time
 */
export type Kind = 'hermetic' | 'program';

const kindOf = (file: string): Kind => (file.endsWith('.program.test.ts') ? 'program' : 'hermetic');

const ALL = ['**/*.test.ts'];

/** The files that wait longest in real time. They start first, because otherwise a run would end with one of them alone. */
const FIRST = [
  'src/monitor/real-outages',
  'src/run/in-process/misbehaviours',
  'src/survey/strangers',
  'src/drill/wire/strangers',
].map((name) => normalize(`${name}.program.test.ts`));

/**
 * The number of test files that run at once. It is greater than the number of processors, because many tests wait more than they compute.
 */
const AT_ONCE = 4 * availableParallelism();

/** A module that ends the process of a test file when this process ends, for whatever reason. */
const END_WITH_THIS = join(projectRoot, 'src', 'cli', 'launcher', 'end-with-starter.js');

/** A module that finds the program's own modules without looking on the disk. */
const RESOLVE_OWN = join(projectRoot, 'src', 'cli', 'launcher', 'resolve-own.js');
const EACH_FILE = join(import.meta.dirname, 'each-test-file.ts');

// Each test file is a process. Without this cache, most of its time would be the compilation of the same modules.
process.env.NODE_COMPILE_CACHE ??= join(projectRoot, 'node_modules', '.cache', 'tests');

/** The test files of these kinds that the patterns match, and the patterns that match no such file. */
function filesOf(kinds: readonly Kind[], patterns: readonly string[]) {
  const matched = new Map(
    patterns.map((pattern) => [pattern, globSync(pattern, { cwd: projectRoot, exclude: ['node_modules', 'results'] })]),
  );
  const files = kinds.flatMap((kind) => [...matched.values()].flat().filter((file) => kindOf(file) === kind));
  return {
    files: [...new Set([...FIRST.filter((file) => files.includes(file)), ...files])],
    idle: patterns.filter((each) => !matched.get(each)?.some((file) => files.includes(file))),
  };
}

/** Runs the test files of these kinds that the patterns match; by default all of them. */
export async function runTests(kinds: readonly Kind[], patterns: readonly string[] = ALL): Promise<Counts> {
  const { files, idle } = filesOf(kinds, patterns);
  if (idle.length > 0) {
    process.stdout.write(`FAILED no ${kinds.join(' or ')} test file matches ${idle.join(', ')}\n`);
    return { passed: 0, failed: idle.length, skipped: 0 };
  }
  const folder = mkdtempSync(join(fastFolder(), 'sextant-tests-'));
  const stream = run(optionsFor(files, folder));
  let empty = 0;
  let total: Counts = { passed: 0, failed: 1, skipped: 0 };
  // Node reports a file without tests as a passed test. This program reports it as a failure.
  stream.on('test:pass', ({ name, file }) => {
    if (name !== file) return;
    empty += 1;
    process.stdout.write(`FAILED ${relative(projectRoot, name)}: it ran no test\n`);
  });
  stream.on('test:summary', ({ file, counts: { tests, passed, skipped, todo }, duration_ms, success }) => {
    const failed = tests - passed - skipped - todo;
    const counts = { passed, failed: success ? failed : Math.max(failed, 1), skipped: skipped + todo };
    if (file === undefined) total = counts;
    else if (tests > 0 || !success) process.stdout.write(lineOf(relative(projectRoot, file), counts, duration_ms));
  });
  // With several files, only failed and skipped tests are printed.
  const isShown = ({ type, data }: TestEvent) =>
    files.length === 1 || (type !== 'test:start' && (type !== 'test:pass' || data.skip !== undefined));
  try {
    for await (const text of stream.filter(isShown).compose(new spec())) process.stdout.write(text);
    return add(total, { passed: -empty, failed: empty, skipped: 0 });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Options for Node's test runner. The time limit is for tests that set none. */
function optionsFor(files: readonly string[], folder: string) {
  const { SEXTANT_OUTPUT: _, ...inherited } = plainEnvironment();
  return {
    files: files.map((file) => resolve(projectRoot, file)),
    cwd: projectRoot,
    concurrency: AT_ONCE,
    env: { ...inherited, SEXTANT_TESTS: folder },
    execArgv: [
      `--test-timeout=${TEST_LIMIT_MS}`,
      ...[END_WITH_THIS, RESOLVE_OWN, EACH_FILE].flatMap((module) => ['--import', module]),
    ],
  };
}

// `npm run test:hermetic -- [--watch] [FILE …]`
if (import.meta.main) {
  const [kind, ...words] = process.argv.slice(2);
  const kinds: Kind[] = [kind === 'program' ? 'program' : 'hermetic'];
  const patterns = words.filter((word) => word !== '--watch');
  const chosen = patterns.length > 0 ? patterns : undefined;
  if (words.includes('--watch'))
    run({ ...optionsFor(filesOf(kinds, chosen ?? ALL).files, join(tmpdir(), 'sextant-tests-watched')), watch: true })
      .compose(new spec())
      .pipe(process.stdout);
  else {
    const counts = await runTests(kinds, chosen);
    process.stdout.write(`${counted(counts)}\n`);
    process.exitCode = counts.failed > 0 || counts.passed === 0 ? 1 : 0;
  }
}
