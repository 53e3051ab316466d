import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../src/environment/project-root.ts';
import { temporaryFolder } from '../../src/testing/own-folder.ts';
import { startProgram } from '../../src/testing/programs/run-command.ts';
import { startBenchService } from './service.ts';

/**
 * Compares the wall time of the suite on a broken service with its wall time on the healthy one. The two runs of a pair follow each other.
 * They share the users of the environment, so each run restores the state that it finds. At the end, the program prints the size of the
 * results, and of the largest report.
 */
const pairs = [
  ['a list that never shows', ['listBlocked-never-changes', 'listBlockers-never-changes'], ['--area', 'friends']],
  ['an undo that answers 500', ['unblock=500'], []],
  ['lists that are always empty', ['listBlocked-is-always-empty', 'listBlockers-is-always-empty'], []],
] as const;

/** How often each pair runs. The result is the median of the ratios. */
const TIMES = Number(process.argv[2] ?? 1);
const { path: output, end } = temporaryFolder();

/** Runs `test` against a new service. Returns the time in s, and the printed line with the numbers of passed and failed tests. */
async function suite(faults: readonly string[], args: readonly string[]) {
  const { folder, env, text, stop } = await startBenchService(...faults);
  writeFileSync(join(folder, 'bench.env'), text);
  const start = performance.now();
  const command = ['src/cli/launcher/sextant.js', 'test', '--env', 'bench', ...args];
  const running = startProgram(process.execPath, command, {
    cwd: projectRoot,
    env: { ...process.env, ...env, SEXTANT_OUTPUT: output, SEXTANT_STATE: folder, CI: 'true' },
  });
  await running.ended;
  const seconds = (performance.now() - start) / 1_000;
  stop();
  return { seconds, counts: /^ {2}(.* passed[^(]*)/m.exec(running.said())?.[1]?.trim() ?? running.said() };
}

/** The size of all files in a folder, and of the largest index.html (a report), in MB. */
function sizes(folder: string): { all: number; report: number } {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((each) => each.isFile());
  const sized = files.map(({ name, parentPath }) => ({ name, mb: statSync(join(parentPath, name)).size / 1e6 }));
  const all = sized.reduce((sum, { mb }) => sum + mb, 0);
  return { all, report: Math.max(0, ...sized.filter(({ name }) => name === 'index.html').map(({ mb }) => mb)) };
}

const say = (text: string) => void process.stdout.write(`${text}\n`);
let runs = 0;
let report = 0;
for (const [what, faults, args] of pairs) {
  const ratios: number[] = [];
  for (let time = 0; time < TIMES; time++) {
    const healthy = await suite([], args);
    const red = await suite(faults, args);
    report = Math.max(report, sizes(output).report);
    runs += 2;
    ratios.push(red.seconds / healthy.seconds);
    say(`  ${healthy.seconds.toFixed(1)} s (${healthy.counts}), ${red.seconds.toFixed(1)} s (${red.counts})`);
  }
  const median = ratios.toSorted((a, b) => a - b)[Math.floor(TIMES / 2)] ?? 0;
  say(`${what}, test ${args.join(' ')}: ${median.toFixed(2)}× the healthy one`);
}
say(
  `report of a red run: ${report.toFixed(1)} MB at most; results/ after ${runs} runs: ${sizes(output).all.toFixed(1)} MB`,
);
end();
