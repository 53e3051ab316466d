import type { Grade, Phase, Verdict } from '../../client/index.ts';
import type { Failure } from '../../scenario/index.ts';
import type { AreaId } from '../../spec/index.ts';
import type { Change } from './status.ts';

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

/** What an incident is about: something is down, can no longer run, or can't be judged. */
export function familyOf({ kind }: Cause): 'down' | 'skipped' | 'unjudged' {
  return kind === 'skipped' || kind === 'unjudged' ? kind : 'down';
}
