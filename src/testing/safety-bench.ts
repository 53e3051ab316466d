import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silent } from '../client/index.ts';
import type { Environment } from '../config/index.ts';
import { runAll, type Scenario } from '../runner/index.ts';
import { type ScenarioBody, undoLeftovers } from '../scenario/index.ts';
import type { Effect } from '../spec/index.ts';
import { embeddedEnvironment } from './test-environment.ts';

/** Common set-up of safety tests: environments of one service, test scenarios, temporary folders. */
export function safetyBench(service: Parameters<typeof embeddedEnvironment>[0]) {
  const folder = mkdtempSync(join(tmpdir(), 'sextant-safety-'));
  process.env.SEXTANT_OUTPUT = folder;
  process.env.SEXTANT_STATE = join(folder, 'state');
  const provisioned = embeddedEnvironment(service);
  const { provisionUrl: _, ...own } = provisioned;
  const allowing = (...allowed: Effect[]): Environment => ({ ...own, allowedEffects: new Set(allowed) });
  let runs = 0;
  return {
    provisioned,
    /** Without a provisioner: every scenario acts as the environment's users. */
    own: own as Environment,
    allowing,
    reversible: () => allowing('read', 'reversible'),
    scenario: (body: ScenarioBody, effect: Effect = 'read', ...tags: string[]): Scenario => ({
      title: `a scenario of the test (${effect})`,
      details: { tag: ['@all', `@${effect}`, ...tags] },
      body,
      file: import.meta.filename,
    }),
    run: (environment: Environment, ...all: Scenario[]) =>
      runAll(all, { environment, seed: String(runs), runId: `run-${runs++}` }),
    undo: (environment: Environment, forget = false) =>
      undoLeftovers(environment, { observer: silent, runId: 'undo', forget }),
    forgetAll: () => rmSync(folder, { recursive: true, force: true }),
  };
}
