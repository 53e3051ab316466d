import { type ConnectionFailure, curlLine, type Phase, type Verdict } from '../client/index.ts';
import type { AreaId } from '../spec/index.ts';
import type { ScenarioResult } from './scenario-result.ts';

/** Phases before any operation: a failure in them belongs to the host, whichever call met it. */
export const hostPhases: readonly Phase[] = ['dns', 'connect', 'tls'];

/** A base address that can't be connected to, with the affected scenarios. */
export interface HostFailure {
  /** Origin: scheme, host and port. */
  readonly address: string;
  readonly phase: Phase;
  readonly verdict: Verdict;
  readonly code: string;
  readonly reason: string;
  readonly areas: readonly AreaId[];
  readonly scenarios: readonly string[];
  /** One of the failing calls. */
  readonly curl: string;
}

/** The failure of a result's host; `undefined` if the host was reached. */
export function hostFailureOf({ failing }: Pick<ScenarioResult, 'failing'>): ConnectionFailure | undefined {
  return failing?.failure && hostPhases.includes(failing.failure.phase) && failing.failure.code !== 'ABORTED'
    ? failing.failure
    : undefined;
}

/** Failures of one address in the same phase, combined. */
export function hostFailures(results: readonly ScenarioResult[]): HostFailure[] {
  const down = results.flatMap((result) => {
    const failure = hostFailureOf(result);
    const { failing } = result;
    return failure && failing ? [{ result, failure, failing, address: new URL(failing.request.url).origin }] : [];
  });
  const byHost = Map.groupBy(down, ({ address, failure }) => JSON.stringify([address, failure.phase, failure.code]));
  return [...byHost.values()].map((met) => {
    const [{ address, failure, failing, result }] = met as [(typeof met)[number]];
    const { phase, code, reason } = failure;
    return {
      ...{ address, phase, verdict: result.verdict, code, reason },
      areas: [...new Set(met.map((each) => each.failing.area))],
      curl: curlLine(failing.request),
      scenarios: met.map((each) => each.result.title),
    };
  });
}

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
