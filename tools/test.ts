import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../src/config/project-root.ts';
import { startProgram } from '../src/testing/programs/run-command.ts';
import { runChecks } from './check.ts';
import { installDevelopmentPackages } from './development-packages.ts';
import { runTests } from './node-tests.ts';
import { add, type Counts, counted, type Ran, type Work } from './test-runner/work.ts';

/** Runs a program of the project whose counts are in a file. */
async function counting(args: readonly string[], file: string): Promise<Ran> {
  rmSync(file, { force: true });
  const { said, ended } = startProgram(process.execPath, args, { cwd: projectRoot });
  const code = await ended;
  const output = said();
  if (!existsSync(file)) return { counts: { passed: 0, failed: 1, skipped: 0 }, output };
  const { passed, failed, skipped } = JSON.parse(readFileSync(file, 'utf8')) as Counts;
  // A non-zero exit without failed tests is a failure too.
  return { counts: { passed, failed: code !== 0 && failed === 0 ? 1 : failed, skipped }, output };
}

const results = (file: string) => join(projectRoot, 'results', file);
let suite = '';

/** They have processes of their own, and wait more than they compute. */
const beside: readonly Work[] = [
  { name: 'the drill', run: () => counting(['tools/drill/run-drill.ts'], results('drill.json')) },
  {
    name: 'the suite, like `npm start`',
    run: async () => {
      const ran = await counting(['src/cli/sextant.ts', 'test', '--env', 'local'], results('summary.json'));
      suite = ran.output;
      return ran;
    },
  },
];

installDevelopmentPackages();
const all = add(await runChecks(), await runTests(['program', 'hermetic'], undefined, beside));
process.stdout.write(`${suite}\n${counted(all)}\n`);
process.exitCode = all.failed > 0 || all.passed === 0 ? 1 : 0;
