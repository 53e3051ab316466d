import type { AreaId } from '../catalogue/index.ts';
import type { Exchange } from '../client/index.ts';
import { readTags } from '../suite/index.ts';
import type { Scenario } from './collect.ts';
import type { ScenarioResult } from './result.ts';
import { type RunOptions, runScenario } from './run-scenario.ts';

export interface RunAllOptions extends RunOptions {
  /** Hears of every result as it comes. */
  readonly onResult?: (result: ScenarioResult) => void;
}

/**
 * Runs scenarios once: areas side by side, the scenarios of an area one after the other, for they may share users.
 * Once an address has shown that nobody is there, what else needs it is not tried: the whole takes no longer than the
 * deadline of one call.
 */
export async function runAll(scenarios: readonly Scenario[], options: RunAllOptions): Promise<ScenarioResult[]> {
  const lanes = Map.groupBy(scenarios, ({ title, details }) => readTags(title, details.tag).area);
  const byLane = await Promise.all([...lanes].map(([area, lane]) => runLane(area, lane, options)));
  const results = byLane.flat();
  const order = new Map(scenarios.map(({ title }, index) => [title, index]));
  return results.sort((a, b) => (order.get(a.title) ?? 0) - (order.get(b.title) ?? 0));
}

async function runLane(
  area: AreaId | 'all',
  lane: readonly Scenario[],
  options: RunAllOptions,
): Promise<ScenarioResult[]> {
  const results: ScenarioResult[] = [];
  let down: ScenarioResult | undefined;
  for (const scenario of lane) {
    const result = down ? takenDown(scenario, down, options) : await runScenario(scenario, options);
    const isAnswered = results.some(({ exchanges }) => exchanges.some(({ answer }) => answer));
    if (area !== 'all' && !isAnswered && showsNobodyThere(result)) down ??= result;
    results.push(result);
    options.onResult?.(result);
  }
  return results;
}

/** The very first call had no answer, so the address is down, not an operation. */
function showsNobodyThere({ verdict, exchanges }: ScenarioResult): boolean {
  return verdict === 'unreachable' && exchanges.every(({ answer }: Exchange) => answer === undefined);
}

function takenDown(scenario: Scenario, down: ScenarioResult, { environment }: RunAllOptions): ScenarioResult {
  const { title, details, file } = scenario;
  const { area, effect } = readTags(title, details.tag);
  const base = { title, area, effect, file, startedAt: Date.now(), durationMs: 0, exchanges: [] };
  if (!environment.allowedEffects.has(effect))
    return { ...base, verdict: 'skipped', reason: `not allowed in ${environment.name}` };
  const { grade = 'assumed', reason = 'no answer', failing, curl } = down;
  return {
    ...base,
    verdict: 'unreachable',
    grade,
    reason: `not tried: ${reason}`,
    ...(failing ? { failing } : {}),
    ...(curl ? { curl } : {}),
  };
}
