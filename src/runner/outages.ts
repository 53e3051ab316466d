import type { AreaId } from '../spec/index.ts';
import { hostFailureOf } from './host-failures.ts';
import type { ScenarioResult } from './scenario-result.ts';

/** Slower failures, in ms, are too expensive to repeat for every scenario. */
const QUICK_MS = 500;

/** The outages that a run has found so far, so that it need not wait for each again. */
export class Outages {
  readonly #answered = new Set<AreaId>();
  readonly #doubtful = new Map<AreaId, ScenarioResult>();
  readonly #down = new Map<AreaId, ScenarioResult>();
  #withoutUsers: ScenarioResult | undefined;

  note(result: ScenarioResult): void {
    for (const { area, response } of result.exchanges) if (response) this.#answered.add(area);
    if (result.fault === 'provisioner') this.#withoutUsers ??= result;
    const { failing } = result;
    if (!failing?.failure || failing.failure.code === 'ABORTED' || this.#answered.has(failing.area)) return;
    const isSlow = failing.failure.code === 'DEADLINE' || failing.durationMs > QUICK_MS;
    if (hostFailureOf(result)) this.#down.set(failing.area, this.#down.get(failing.area) ?? result);
    else if (isSlow) this.#doubtful.set(failing.area, this.#doubtful.get(failing.area) ?? result);
  }

  /** The result that showed one of `areas`, or the provisioner, to be down. */
  down(areas: readonly AreaId[]): ScenarioResult | undefined {
    return this.#withoutUsers ?? this.#first(this.#down, areas);
  }

  /** The result in which one of `areas` kept its first call waiting, neither refuted nor confirmed yet. */
  doubt(areas: readonly AreaId[]): ScenarioResult | undefined {
    return this.#first(this.#doubtful, areas);
  }

  /** Confirmed by a second scenario: the address is down, not an operation. */
  confirm({ failing }: ScenarioResult): void {
    const known = failing && this.#doubtful.get(failing.area);
    if (known) this.#down.set(failing.area, known);
  }

  #first(known: ReadonlyMap<AreaId, ScenarioResult>, areas: readonly AreaId[]): ScenarioResult | undefined {
    const area = areas.find((id) => known.has(id) && !this.#answered.has(id));
    return area && known.get(area);
  }
}
