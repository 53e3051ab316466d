import {
  type Exchange,
  type Grade,
  type Phase,
  type ServiceUnderTest,
  type Verdict,
  verdicts,
} from '../../client/index.ts';
import { present } from '../../config/index.ts';
import type { Failure } from '../../engine/run/index.ts';
import { hostFailureOf, type ScenarioResult } from '../../runner/index.ts';
import { type AreaId, areaIds, firstArea } from '../../spec/index.ts';
import { type Change, couldNotRun } from './status.ts';

export interface ScenarioRef {
  readonly environment: string;
  readonly title: string;
}

export function scenarioKey({ environment, title }: ScenarioRef): string {
  return `${environment}\n${title}`;
}

/** A failure that several addresses can have at once, because one thing behind them broke. */
export interface Pattern {
  /** Where the call ended; `response`: it was answered, with an error status. */
  readonly phase: Phase | 'response';
  /** Code of the connection failure (ECONNREFUSED, DEADLINE …), or the status of the response. */
  readonly code: string;
  /** The areas known to fail like this, and their distinct base addresses. */
  readonly areas: readonly AreaId[];
  readonly addresses: readonly string[];
  /** Number of distinct base addresses in the environment. */
  readonly of: number;
  /** Other environments on the same host that are known to fail like this. */
  readonly others?: readonly string[];
}

/**
 * The common cause of failures. host: no connection was possible · address: calls to a base address fail ·
 * skipped: the environment no longer has what scenarios need · unjudged: nothing could be judged for too long.
 */
export interface Cause {
  readonly kind: 'address' | 'host' | 'skipped' | 'unjudged';
  /** The base address, or the host's origin. */
  readonly address: string;
  /** Absent where an expectation broke that other addresses can't share. */
  readonly pattern?: Pattern;
}

/** A change of a scenario's status: the one record behind alerts, incidents and uptime. */
export interface Flip extends Change {
  readonly id: number;
  readonly scenario: ScenarioRef;
  readonly area: AreaId | 'all';
  /** When it was decided; epoch, in ms. */
  readonly at: number;
  readonly verdict: Verdict;
  readonly grade?: Grade;
  readonly reason?: string;
  readonly curl?: string;
  /** The failing call; absent in histories of earlier versions that didn't keep the exchange. */
  readonly call?: Failure['call'];
  readonly cause: Cause;
  /** The incident that it opened or joined, by the id of the flip that opened it; absent in histories of earlier versions. */
  readonly incident?: number;
}

/** The base addresses that are known to fail with a flip. */
export function addressesOf({ cause }: Pick<Flip, 'cause'>): readonly string[] {
  return cause.pattern?.addresses ?? [cause.address];
}

/** Asked for with each flip, of a few addresses. */
const hosts = new Map<string, string>();

export function hostOf(address: string): string {
  const host = hosts.get(address) ?? URL.parse(address)?.hostname ?? address;
  hosts.set(address, host);
  return host;
}

/** Whether nothing usable came back, so that every scenario of the address fails with it. */
export function isConnection({ kind, pattern }: Cause): boolean {
  return kind === 'host' || (pattern !== undefined && pattern.phase !== 'response');
}

/** Whether it left its incident because it proves nothing again; what is no longer monitored had no run. */
export function isUnproven({ to, cause }: Pick<Flip, 'to' | 'cause'>): boolean {
  return to === 'pending' && cause.kind === 'unjudged';
}

/** What an incident is about: something is down, can no longer run, or can't be judged. */
export function familyOf({ kind }: Cause): 'down' | 'skipped' | 'unjudged' {
  return kind === 'skipped' || kind === 'unjudged' ? kind : 'down';
}

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
  const reach = reachOf([area, ...(alike?.areas ?? [])], addresses);
  return { ...cause, pattern: { ...shared, ...reach, ...present({ others: alike?.others }) } };
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
function reachOf(failing: readonly AreaId[], addresses: Addresses): Pick<Pattern, 'areas' | 'addresses' | 'of'> {
  const hrefs = new Set(failing.map((area) => addresses[area].href));
  return {
    areas: areaIds.filter((area) => hrefs.has(addresses[area].href)),
    addresses: [...hrefs],
    of: new Set(areaIds.map((area) => addresses[area].href)).size,
  };
}

/** A scenario of an incident that fell short, as far as its cause can be guessed from it. */
export interface FailedScenario {
  readonly title: string;
  /** Of its failing call: a response, or the phase in which there came none. */
  readonly ending?: { readonly status: number; readonly text: string } | { readonly phase: string };
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
