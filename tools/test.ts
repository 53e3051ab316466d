import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../src/config/project-root.ts';
import { checks } from './check.ts';
import { runDrill } from './drill/run-drill.ts';
import { runTests } from './node-tests.ts';
import { add, type Counts, counted, runSteps } from './test-runner/steps.ts';

/** Runs the suite on the embedded service, like `npm start`; the counts are in results/summary.json. */
function runSuite(): Counts {
  const summary = join(projectRoot, 'results', 'summary.json');
  rmSync(summary, { force: true });
  const { status } = spawnSync(process.execPath, ['src/cli/sextant.ts', 'test', '--env', 'local'], {
    cwd: projectRoot,
    stdio: 'inherit',
  });
  if (!existsSync(summary)) return { passed: 0, failed: 1, skipped: 0 };
  const counts = JSON.parse(readFileSync(summary, 'utf8')) as Counts;
  // A non-zero exit without failed tests is a failure too.
  return status !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts;
}

const all = add(await runSteps(checks), await runTests(['program', 'hermetic']), await runDrill(), runSuite());
process.stdout.write(`\n${counted(all)}\n`);
process.exitCode = all.failed > 0 || all.passed === 0 ? 1 : 0;
