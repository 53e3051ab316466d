import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { projectRoot } from '../../../src/config/project-root.ts';
import { localEnvironmentText } from '../local-environment.ts';
import { runNode } from '../processes.ts';
import { limitRow, type Measure } from '../row.ts';

const TIMES = 3;

export const wholeSuite: Measure = async ({ env, folder }) => {
  writeFileSync(join(folder, 'local.env'), await localEnvironmentText());
  const cli = createRequire(import.meta.url).resolve('@playwright/test/cli');
  const args = [cli, 'test', '-c', projectRoot, '--project=local'];
  let least = Number.POSITIVE_INFINITY;
  let tests = 0;
  for (let index = 0; index < TIMES; index++) {
    const { wallMs, stdout } = await runNode(args, env);
    least = Math.min(least, wallMs);
    tests = Number(/Total +(\d+)/.exec(stdout)?.[1] ?? 0);
  }
  const what = `the whole Playwright suite on \`local\`, ${tests} tests, wall`;
  return limitRow(what, 5, least / 1_000, 's');
};
