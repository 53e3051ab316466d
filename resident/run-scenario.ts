import { curlLine, type Exchange, type Note, type Observer, silent } from '../client/index.ts';
import type { Environment } from '../environments/index.ts';
import { readTags, Skipped, scenarioSeed, World, type WorldValues, whySkipped } from '../suite/index.ts';
import { assess } from './assess.ts';
import type { Scenario } from './collect.ts';
import { needsOf } from './needs.ts';
import type { ScenarioResult } from './result.ts';

export interface RunOptions {
  readonly environment: Environment;
  readonly seed: string;
  readonly runId: string;
  /** Stops the run: calls under way end as `unknown`. */
  readonly signal?: AbortSignal;
}

/** Runs one scenario in this process. Whatever happens ends in a result; nothing is thrown, nothing stays open. */
export async function runScenario(
  scenario: Scenario,
  { environment, seed, runId, signal }: RunOptions,
): Promise<ScenarioResult> {
  const { title, details, file } = scenario;
  const exchanges: Exchange[] = [];
  const notes: Note[] = [];
  const observer: Observer = {
    ...silent,
    exchanged: (exchange) => void exchanges.push(exchange),
    noted: (note) => void notes.push(note),
  };
  const startedAt = Date.now();
  const start = performance.now();
  let error: unknown;
  let world: World | undefined;
  try {
    const reason = whySkipped(title, details.tag, environment);
    if (reason) throw new Skipped(reason);
    world = new World({
      environment,
      observer,
      seed: scenarioSeed(seed, environment.name, title),
      runId,
      ...(signal ? { signal } : {}),
    });
    await scenario.body(await values(world, scenario));
  } catch (thrown) {
    error = thrown;
  }
  const leftovers = (await world?.close({ verify: error === undefined })) ?? [];
  const { failing, ...assessment } = assess(error ?? leftovers[0], exchanges, environment.slowAfterMs);
  return {
    title,
    ...readTags(title, details.tag),
    file,
    ...assessment,
    startedAt,
    durationMs: performance.now() - start,
    ...(failing ? { failing, curl: curlLine(failing.request) } : {}),
    ...(notes.length > 0 ? { notes } : {}),
    exchanges,
  };
}

async function values(world: World, { body }: Scenario): Promise<WorldValues> {
  const given: Record<string, unknown> = {};
  for (const name of needsOf(body)) given[name] = await world.value(name);
  return given as unknown as WorldValues;
}
