import { verdicts } from '../client/index.ts';
import type { Environment } from '../config/index.ts';
import { hostFailureOf, type ScenarioResult, shortestIntervalMs } from '../runner/index.ts';
import type { NamedScenario } from './modules.ts';

interface Last {
  readonly result: ScenarioResult;
  /** Whether it counts instead of another run. */
  readonly stands: boolean;
}

/** A scraper with the same interval is sometimes early: a probe that comes within this last part of the interval runs. */
const EARLY = 0.1;

/**
 * The last results of scenarios that must not run as often as they are asked for, because they use up data. What failed is tried once more
 * at the next probe, so that a single failure doesn't last for the whole interval; what could not be judged, or used up nothing because
 * there was no connection, runs at every probe.
 */
export class LastResults {
  /** By environment as it was loaded: after a change of its files everything runs again. */
  readonly #last = new WeakMap<Environment, Map<string, Last>>();

  /** The result that counts instead of another run at `now` (epoch, in ms); a warning says so. */
  standingFor({ scenario, effect }: NamedScenario, environment: Environment, now: number): ScenarioResult | undefined {
    const last = this.#last.get(environment)?.get(scenario.title);
    const intervalMs = shortestIntervalMs(scenario.details.tag, effect, environment);
    if (!last?.stands || now - last.result.startedAt >= intervalMs * (1 - EARLY)) return undefined;
    const at = new Date(last.result.startedAt).toISOString();
    const why = `the result of ${at}: it runs every ${Math.round(intervalMs / 1_000)} s at most, to spare data`;
    return { ...last.result, warnings: [...(last.result.warnings ?? []), why] };
  }

  add({ scenario, effect }: NamedScenario, environment: Environment, result: ScenarioResult): void {
    if (shortestIntervalMs(scenario.details.tag, effect, environment) === 0) return;
    const all = this.#last.get(environment) ?? new Map<string, Last>();
    this.#last.set(environment, all);
    const { title } = scenario;
    const { health } = verdicts[result.verdict];
    const before = all.get(title);
    const isConfirmed =
      health !== 'down' || (before !== undefined && verdicts[before.result.verdict].health === 'down');
    all.set(title, { result, stands: health !== 'unknown' && isConfirmed && !hostFailureOf(result) });
  }
}
