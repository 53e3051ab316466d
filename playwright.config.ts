import { randomInt } from 'node:crypto';
import { existsSync } from 'node:fs';
import { defineConfig } from '@playwright/test';
import { environmentNames, loadEnvironment } from './src/config/index.ts';
import { ownModule, specFolders } from './src/config/project-root.ts';
import { outputFiles, SEED_VARIABLE, separateInteractive } from './src/scenario/index.ts';

// Workers read these: one seed and one run id for all of them.
process.env[SEED_VARIABLE] ??= String(randomInt(2 ** 31));
process.env.SEXTANT_RUN ??= `${Date.now().toString(36)}-${randomInt(2 ** 31).toString(36)}`;

separateInteractive();

const { playwright } = outputFiles();
const [own = '', ...others] = specFolders;
const beside = others.filter((folder) => existsSync(folder)).map((testDir) => ({ testDir }));

export default defineConfig({
  testDir: own,
  outputDir: playwright,
  globalSetup: ownModule('fixtures/global-setup'),
  fullyParallel: true,
  // Tests wait for the network more than they compute. A limit of one worker is a project's, and there are two for each environment here.
  workers: beside.length > 0 && chosen().some(needsOneWorker) ? 1 : '100%',
  forbidOnly: Boolean(process.env.CI),
  // A flake is to be found, not retried away.
  retries: 0,
  timeout: 120_000,
  // The report has the same steps and redacted exchanges.
  use: { trace: 'off' },
  // Each environment is a project, which also keeps their histories apart; a team's specs beside the package are another of its name.
  projects: [{}, ...beside].flatMap((where) =>
    environmentNames().map((name) => ({ name, ...where, ...(needsOneWorker(name) ? { workers: 1 } : {}) })),
  ),
  // The first one before the others, which are handed what it leaves. Where tests are only listed, the results of the last run stay.
  reporter: [
    [ownModule('src/reporting/redacting-reporter')],
    ...(process.argv.includes('--list') ? [['list'] as const] : resultReporters()),
  ],
});

function resultReporters(): [path: string][] {
  return [
    [ownModule('src/reporting/console/console-reporter')],
    [ownModule('src/reporting/allure/allure-reporter')],
    [ownModule('src/reporting/reporter')],
  ];
}

/** As the command line has it; workers don't ask. */
function chosen(): string[] {
  const words = process.argv.filter((word) => word.startsWith('--project='));
  return environmentNames().filter((name) => words.length === 0 || words.includes(`--project=${name}`));
}

/** Without PROVISION_URL every test acts as the same users, and a pace is one process's: so no two may run at once. */
function needsOneWorker(name: string): boolean {
  try {
    const { provisionUrl, rateLimits } = loadEnvironment(name);
    return (
      provisionUrl === undefined ||
      rateLimits?.maxRequestsPerSecond !== undefined ||
      rateLimits?.maxConcurrency !== undefined
    );
  } catch {
    // It can't be used at all, which is said where it is chosen.
    return true;
  }
}
