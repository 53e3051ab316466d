import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { defineConfig } from '@playwright/test';
import { environmentNames, loadEnvironment } from './src/config/index.ts';
import { outputFiles, SEED_VARIABLE, separateInteractive } from './src/scenario/index.ts';

// Workers read these: one seed and one run id for all of them.
process.env[SEED_VARIABLE] ??= String(randomInt(2 ** 31));
process.env.SEXTANT_RUN ??= `${Date.now().toString(36)}-${randomInt(2 ** 31).toString(36)}`;

separateInteractive();

// Absolute, so that a configuration elsewhere can take this one over.
const here = (path: string) => join(import.meta.dirname, path);
const { playwright } = outputFiles();

export default defineConfig({
  testDir: here('tests'),
  outputDir: playwright,
  globalSetup: here('fixtures/global-setup.ts'),
  fullyParallel: true,
  // Tests wait for the network more than they compute.
  workers: '100%',
  forbidOnly: Boolean(process.env.CI),
  // A flake is to be found, not retried away.
  retries: 0,
  timeout: 120_000,
  // The report has the same steps and redacted exchanges.
  use: { trace: 'off' },
  // Each environment is a project, which also keeps their histories apart.
  projects: environmentNames().map((name) => ({ name, ...(needsOneWorker(name) ? { workers: 1 } : {}) })),
  reporter: [
    // The first one, for the others are handed what it leaves.
    [here('src/reporting/redacting-reporter.ts')],
    [here('src/reporting/console/console-reporter.ts')],
    [here('src/reporting/allure/allure-reporter.ts')],
    [here('src/reporting/reporter.ts')],
  ],
});

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
