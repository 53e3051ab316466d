import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { Environment } from '../environment/index.ts';
import { runScenario, type ScenarioResult, scenarios } from '../run/index.ts';

export async function play(title: string, environment: Environment): Promise<ScenarioResult> {
  const scenario = (await scenarios()).find((each) => each.title === title);
  assert.ok(scenario, title);
  return runScenario(scenario, { environment, seed: '1', runId: randomUUID() });
}

/** A result in one line: `failed · documented · listBlocked · documented: … — … · a warning`; just `passed` if there is no more to report. */
export function resultText({ verdict, grade, failing, reason, warnings = [] }: ScenarioResult): string {
  return [verdict, grade, failing?.operation, reason, ...warnings].filter(Boolean).join(' · ');
}
