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
  /** Titles. */
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
  return [...byHost.values()].flatMap((met) => {
    const [first] = met;
    if (!first) return [];
    return {
      address: first.address,
      phase: first.failure.phase,
      verdict: first.result.verdict,
      code: first.failure.code,
      reason: first.failure.reason,
      areas: [...new Set(met.map(({ failing }) => failing.area))],
      curl: curlLine(first.failing.request),
      scenarios: met.map(({ result }) => result.title),
    };
  });
}
