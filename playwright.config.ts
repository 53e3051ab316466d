import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { defineConfig } from '@playwright/test';
import { environmentNames } from './environments/index.ts';
import { outputFolder, SEED_VARIABLE } from './suite/index.ts';

// Workers read these: one seed and one run id for all of them.
process.env[SEED_VARIABLE] ??= String(randomInt(2 ** 31));
process.env.SEXTANT_RUN ??= `${Date.now().toString(36)}-${randomInt(2 ** 31).toString(36)}`;

const output = outputFolder();

export default defineConfig({
  testDir: 'tests',
  outputDir: join(output, 'playwright'),
  fullyParallel: true,
  forbidOnly: Boolean(process.env.CI),
  // A flake is to be found, not retried away.
  retries: 0,
  timeout: 120_000,
  // Traces hold headers and bodies; the report has redacted exchanges instead.
  use: { trace: 'off' },
  // Each environment is a project, which also keeps their histories apart.
  projects: environmentNames().map((name) => ({ name })),
  reporter: [['list']],
});
