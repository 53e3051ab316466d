import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../src/environment/project-root.ts';
import { startProgram } from '../src/testing/programs/run-command.ts';
import { runChecks } from './check.ts';
import { runTests } from './node-tests.ts';
import { add, type Counts, counted, play, type Ran } from './work.ts';

let printed = '';

/** Runs the suite like `npm start`. The counts come from the summary of its results. */
async function runSuite(): Promise<Ran> {
  const summary = join(projectRoot, 'results', 'summary.json');
  rmSync(summary, { force: true });
  const suite = startProgram(process.execPath, ['src/cli/launcher/sextant.js', 'test', '--env', 'local'], {
    cwd: projectRoot,
  });
  const code = await suite.ended;
  printed = suite.said();
  if (!existsSync(summary)) return { counts: { passed: 0, failed: 1, skipped: 0 }, output: printed };
  const { passed, failed, skipped } = JSON.parse(readFileSync(summary, 'utf8')) as Counts;
  // A non-zero exit code without failed tests counts as a failure, too.
  return { counts: { passed, failed: code !== 0 && failed === 0 ? 1 : failed, skipped }, output: printed };
}

const checks = await runChecks();
const suite = play({ name: 'the suite, like `npm start`', run: runSuite });
const all = add(checks, await runTests(['program', 'hermetic']), await suite);
process.stdout.write(`${printed}\n${counted(all)}\n`);
process.exitCode = all.failed > 0 || all.passed === 0 ? 1 : 0;
