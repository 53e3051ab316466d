import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../src/config/project-root.ts';
import { checks } from './check.ts';
import { runDrill } from './drill/run-drill.ts';
import { runTests } from './node-tests.ts';
import { add, type Counts, runSteps } from './steps.ts';

/** The suite on the embedded service, as `npm start` runs it; it leaves its counts in results/summary.json. */
function runSuite(): Counts {
  const summary = join(projectRoot, 'results', 'summary.json');
  rmSync(summary, { force: true });
  const { status } = spawnSync(process.execPath, ['src/cli/sextant.ts', 'test', '--env', 'local'], {
    cwd: projectRoot,
    stdio: 'inherit',
  });
  if (!existsSync(summary)) return { passed: 0, failed: 1, skipped: 0 };
  const counts = JSON.parse(readFileSync(summary, 'utf8')) as Counts;
  // A run that ends badly with nothing failed has failed all the same.
  return status !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts;
}

const results = [
  await runSteps(checks),
  await runTests('hermetic'),
  await runTests('program'),
  await runDrill(),
  runSuite(),
];
const { passed, failed, skipped } = add(...results);
process.stdout.write(`\n${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}\n`);
process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
