import { globSync, mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { projectRoot } from '../src/environment/project-root.ts';
import { runTestFile } from './test-runner/test-file.ts';
import { add, type Counts, counted, play, type Work } from './test-runner/work.ts';

/**
 * hermetic: `*.test.ts`, about a minute in all · program: `*.program.test.ts`, which start the program, a test runner, a browser or
 * another program as children, or play the whole suite or hundreds of worlds. Neither needs a network but loopback, and neither leaves
 * anything behind.
 */
export type Kind = 'hermetic' | 'program';

const kindOf = (file: string): Kind => (file.endsWith('.program.test.ts') ? 'program' : 'hermetic');

const ALL = ['**/*.test.ts'];

/** Many tests wait more than they compute. */
const AT_ONCE = 3 * availableParallelism();

// Each file is a process, and most of its time is the compilation of the same modules.
process.env.NODE_COMPILE_CACHE ??= join(projectRoot, 'node_modules', '.cache', 'tests');
process.env.NODE_COMPILE_CACHE_PORTABLE = '1';

/** The test files of these kinds that patterns match, and the patterns that match none. */
function filesOf(kinds: readonly Kind[], patterns: readonly string[]) {
  const matched = new Map(
    patterns.map((pattern) => [pattern, globSync(pattern, { cwd: projectRoot, exclude: ['node_modules', 'results'] })]),
  );
  const files = kinds.flatMap((kind) => [...matched.values()].flat().filter((file) => kindOf(file) === kind));
  return {
    files: [...new Set(files)],
    idle: patterns.filter((each) => !matched.get(each)?.some((file) => files.includes(file))),
  };
}

/** Runs the tests next to the code, or those of them that a pattern matches, and other work with them, which begins first. */
export async function runTests(
  kinds: readonly Kind[],
  patterns: readonly string[] = ALL,
  others: readonly Work[] = [],
): Promise<Counts> {
  const { files, idle } = filesOf(kinds, patterns);
  if (idle.length > 0) {
    process.stdout.write(`FAILED no ${kinds.join(' or ')} test file matches ${idle.join(', ')}\n`);
    return { passed: 0, failed: idle.length, skipped: 0 };
  }
  const folder = mkdtempSync(join(tmpdir(), 'sextant-tests-'));
  const works = [...others, ...files.map((file) => ({ name: file, run: () => runTestFile(file, folder) }))].values();
  const results: Counts[] = [];
  const playNext = async () => {
    for (const work of works) results.push(await play(work, files.length === 1));
  };
  try {
    await Promise.all(Array.from({ length: AT_ONCE }, playNext));
    return add(...results);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs tests, and those again that a change concerns, until Ctrl-C. */
function watchTests(kinds: readonly Kind[], patterns = ALL): void {
  const files = filesOf(kinds, patterns).files.map((file) => join(projectRoot, file));
  run({ files, watch: true, cwd: projectRoot, concurrency: AT_ONCE }).compose(new spec()).pipe(process.stdout);
}

// `npm run test:hermetic -- [--watch] [FILE …]`
if (import.meta.main) {
  const [kind, ...words] = process.argv.slice(2);
  const kinds: Kind[] = [kind === 'program' ? 'program' : 'hermetic'];
  const patterns = words.filter((word) => word !== '--watch');
  const chosen = patterns.length > 0 ? patterns : undefined;
  if (words.includes('--watch')) watchTests(kinds, chosen);
  else {
    const counts = await runTests(kinds, chosen);
    process.stdout.write(`${counted(counts)}\n`);
    process.exitCode = counts.failed > 0 || counts.passed === 0 ? 1 : 0;
  }
}
