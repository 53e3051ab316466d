import { verdicts } from '../client/index.ts';
import { nodeTransports, readTags } from '../scenario/index.ts';
import { type AreaId, areaIds } from '../spec/index.ts';
import type { Scenario } from './collect-scenarios.ts';
import { Outages } from './outages.ts';
import { type RunOptions, runScenario } from './run-scenario.ts';
import { scenarioParameters } from './scenario-parameters.ts';
import type { ScenarioResult } from './scenario-result.ts';

export interface RunAllOptions extends RunOptions {
  /** Hears of every scenario that begins. */
  readonly onStart?: (title: string) => void;
  /** Hears of every result as it comes. */
  readonly onResult?: (result: ScenarioResult) => void;
}

/** How long an address that kept the first call waiting may take over the next one's answer, in ms: at the most. */
const PATIENCE_MS = 600;

/** A block changes what its users see everywhere else. */
const changesOthers: AreaId | 'all' = 'friends';

/**
 * Runs scenarios once: areas side by side, the scenarios of an area one after the other, for they may share users. Where
 * all areas share them, because nobody makes fresh ones, those that block users run after the others.
 * Once an address has shown that nobody is there, what else needs it is not tried: with a service that is down the
 * whole takes no longer than the deadline of one call, and a moment for a second opinion.
 */
export async function runAll(scenarios: readonly Scenario[], options: RunAllOptions): Promise<ScenarioResult[]> {
  const byArea = Map.groupBy(scenarios, ({ title, details }) => readTags(title, details.tag).area);
  const outages = new Outages();
  // One connection to an address serves the whole run, which is how a run measures a connection once.
  const own = options.transports ? undefined : nodeTransports();
  const shared = own ? { ...options, transports: own } : options;
  const isShared = options.environment.provisionUrl === undefined;
  const runAreas = async (isWanted: (area: AreaId | 'all') => boolean) => {
    const lanes = [...byArea].filter(([area]) => isWanted(area));
    return (await Promise.all(lanes.map(([, all]) => runArea(all, outages, shared)))).flat();
  };
  const results: ScenarioResult[] = [];
  try {
    results.push(...(await runAreas((area) => !isShared || area !== changesOthers)));
    if (isShared) results.push(...(await runAreas((area) => area === changesOthers)));
  } finally {
    await own?.dispose();
  }
  const order = new Map(scenarios.map((scenario, index) => [scenario.title, index]));
  return results.sort((a, b) => (order.get(a.title) ?? 0) - (order.get(b.title) ?? 0));
}

async function runArea(
  inArea: readonly Scenario[],
  outages: Outages,
  options: RunAllOptions,
): Promise<ScenarioResult[]> {
  const results: ScenarioResult[] = [];
  for (const scenario of inArea) {
    options.onStart?.(scenario.title);
    const result = await runNext(scenario, outages, options);
    results.push(result);
    options.onResult?.(result);
  }
  return results;
}

async function runNext(scenario: Scenario, outages: Outages, options: RunAllOptions): Promise<ScenarioResult> {
  const areas = areasOf(scenario);
  const down = outages.down(areas);
  if (down) return (await whySkippedAnyway(scenario, down, options)) ?? notTried(scenario, down, options);
  const doubt = outages.doubt(areas);
  const result = await runScenario(scenario, doubt ? { ...options, patienceMs: patienceMs(options) } : options);
  outages.note(result);
  const isJudged = !verdicts[result.verdict].ran || result.exchanges.some(({ response }) => response);
  if (!doubt || isJudged || options.signal?.aborted) return result;
  outages.confirm(doubt);
  const { startedAt, durationMs, exchanges } = result;
  return { ...notTried(scenario, doubt, options), startedAt, durationMs, exchanges };
}

/** Who can't be tried here for want of data is skipped for that, not counted among what an address took down. */
async function whySkippedAnyway(
  scenario: Scenario,
  down: ScenarioResult,
  options: RunAllOptions,
): Promise<ScenarioResult | undefined> {
  if (down.fault === 'provisioner') return undefined;
  const result = await runScenario(scenario, { ...options, isDryRun: true });
  return verdicts[result.verdict].ran ? undefined : result;
}

function patienceMs({ environment }: RunAllOptions): number {
  return Math.min(PATIENCE_MS, environment.requestTimeoutMs / 2);
}

/** The areas that a scenario calls, as far as it can be seen from here. */
function areasOf({ title, details, body }: Scenario): readonly AreaId[] {
  const { area } = readTags(title, details.tag);
  if (area !== 'all') return [area];
  try {
    const needs = scenarioParameters(body) as readonly string[];
    return areaIds.filter((id) => needs.includes(id));
  } catch {
    // A spec's own mistake, which running it tells.
    return [];
  }
}

function notTried(scenario: Scenario, down: ScenarioResult, { signal }: RunAllOptions): ScenarioResult {
  const { title, details, file } = scenario;
  const { area, effect } = readTags(title, details.tag);
  const base = { title, area, effect, file, startedAt: Date.now(), durationMs: 0, exchanges: [] };
  if (signal?.aborted) return { ...base, verdict: 'unknown', reason: 'the run was stopped' };
  const { verdict, grade, reason = 'no response', failing, curl } = down;
  return {
    ...base,
    verdict,
    ...(grade ? { grade } : {}),
    reason: `not tried: ${reason}`,
    ...(failing ? { failing } : {}),
    ...(curl ? { curl } : {}),
  };
}
