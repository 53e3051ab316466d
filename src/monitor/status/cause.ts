import { type Exchange, type Phase, type ServiceUnderTest, verdicts } from '../../client/index.ts';
import { present } from '../../config/index.ts';
import { hostFailureOf, type ScenarioResult } from '../../runner/index.ts';
import { type AreaId, areaIds, firstArea } from '../../spec/index.ts';
import type { Cause, Pattern } from './flip.ts';
import { couldNotRun } from './status.ts';

type Addresses = ServiceUnderTest['addresses'];

/** Areas whose addresses can't be connected to at the same time, for the same reason. */
export interface Alike extends Pick<Pattern, 'code' | 'areas' | 'others'> {
  readonly phase: Phase;
}

/** The cause of a failure: the host if no connection was possible, otherwise the base address of the failing call. */
export function causeOf(
  result: ScenarioResult,
  { addresses }: Pick<ServiceUnderTest, 'addresses'>,
  alike?: Alike,
): Cause {
  const { failing, exchanges, verdict } = result;
  const call = failing ?? exchanges.at(-1);
  const area = areaOfFailure(result);
  const address = addresses[area];
  if (couldNotRun(result)) return { kind: 'skipped', address: address.href };
  if (verdicts[verdict].health === 'unknown') return { kind: 'unjudged', address: address.href };
  // Unreachable without a call: the host was probed instead (`provisionerFallback`).
  const isUncalled = verdicts[verdict].fellShort === 'connection' && !call;
  const uncalled = { phase: alike?.phase ?? ('connect' as const), code: alike?.code ?? 'UNREACHABLE' };
  const shared = isUncalled ? uncalled : sharedPart(failing);
  const isHost = hostFailureOf(result) !== undefined || isUncalled;
  const cause: Cause = isHost ? { kind: 'host', address: address.origin } : { kind: 'address', address: address.href };
  if (!shared) return cause;
  const extent = extentOf([area, ...(alike?.areas ?? [])], addresses);
  return { ...cause, pattern: { ...shared, ...extent, ...present({ others: alike?.others }) } };
}

export function areaOfFailure({ failing, exchanges, area }: ScenarioResult): AreaId {
  return (failing ?? exchanges.at(-1))?.area ?? (area === 'all' ? firstArea : area);
}

function sharedPart(failing: Exchange | undefined): Pick<Pattern, 'phase' | 'code'> | undefined {
  if (failing?.failure) return { phase: failing.failure.phase, code: failing.failure.code };
  const { status } = failing?.response ?? {};
  return status !== undefined && status >= 400 ? { phase: 'response', code: String(status) } : undefined;
}

/** Areas that share a base address fail together. */
function extentOf(failing: readonly AreaId[], addresses: Addresses): Pick<Pattern, 'areas' | 'addresses' | 'of'> {
  const hrefs = new Set(failing.map((area) => addresses[area].href));
  return {
    areas: areaIds.filter((area) => hrefs.has(addresses[area].href)),
    addresses: [...hrefs],
    of: new Set(areaIds.map((area) => addresses[area].href)).size,
  };
}

/** How the failing call of a scenario ended: with a response, or in a phase without one. */
type CallEnding = { readonly status: number; readonly text: string } | { readonly phase: string };

/** A scenario of an incident that fell short, as far as its cause can be guessed from it. */
export interface FailedScenario {
  readonly title: string;
  readonly ending?: CallEnding;
  /** Of its failing call. */
  readonly operation?: string;
}

/** Names what probably broke, in a sentence; `undefined` where nothing agrees with the evidence. `ran` are all titles that ran. */
export type GuessCause = (failed: readonly FailedScenario[], ran: readonly string[]) => string | undefined;

/** One run: the first attempt, which is the service-level indicator, and the last, which confirmed or cleared a failure. */
export interface ProbeResult {
  readonly first: ScenarioResult;
  /** The last attempt of those that followed a failure. */
  readonly second?: ScenarioResult;
  /** After a failed connection: what fails in the same way at the same time. */
  readonly alike?: Alike;
}
