import type { ConnectionFailure, Phase, Phases } from '../../http/index.ts';
import type { Count, Milliseconds, ScenarioResult, StatusCode, UtcTime } from '../../run/index.ts';
import type { AskedFact } from '../../scenario/index.ts';
import type { AreaId } from '../../service/index.ts';
import type { Contract, Drift, Grade, Unaccepted, Verdict } from '../../verdict/index.ts';

/**
 * Document that `check --json` prints for one environment; for several environments, it prints an array of such documents. A later version may add
 * fields without changing `schemaVersion`.
 */
export interface CheckDocument {
  readonly schemaVersion: 1;
  readonly environment: string;
  readonly startedAt: UtcTime;
  readonly durationMs: Milliseconds;
  readonly verdict: Verdict;
  /** Base addresses that can't be connected to. */
  readonly hosts: readonly {
    readonly address: string;
    readonly phase: Phase;
    readonly verdict: Verdict;
    readonly code: string;
    readonly reason: string;
    readonly areas: readonly AreaId[];
    /** A curl command that repeats one of the failing calls. */
    readonly curl: string;
    readonly scenarios: readonly string[];
  }[];
  /** Causes of failures. One cause may explain the failures of several scenarios. */
  readonly causes: readonly {
    readonly sentence: string;
    /** The beginning of the service's error response. */
    readonly body: string | null;
    readonly verdict: Verdict;
    readonly grade: Grade | null;
    readonly areas: readonly AreaId[];
    readonly operations: readonly string[];
    readonly scenarios: readonly string[];
    /**
     * Titles of the scenarios that failed only in clean-up, or only because they needed an operation that is broken. `scenarios` contains
     * these titles, too.
     */
    readonly follows: readonly string[];
  }[];
  readonly certificates: readonly {
    /** Origin: scheme, host and port. */
    readonly address: string;
    /** The authority in the chain whose certificate expires before the server's own; null if the server's own expires first. */
    readonly authority: string | null;
    readonly validTo: UtcTime;
    /** @asType integer */
    readonly daysLeft: number;
  }[];
  readonly credentials: readonly { readonly key: string; readonly expiresAt: UtcTime; readonly renewed: boolean }[];
  /**
   * `facts`: facts that this run found out by asking the service, because the environment lacks them. `keep`: the command that stores them.
   */
  readonly asked: { readonly facts: readonly AskedFact[]; readonly keep: string | null };
  /** `changes`: facts of the environment that no longer hold. `accept`: the command that accepts all these changes. */
  readonly drift: {
    readonly changes: readonly Pick<Drift, 'sentence' | 'evidence' | 'breaks'>[];
    readonly accept: string | null;
  };
  /** The team's own OpenAPI documents, and the operations that none of these documents contains. */
  readonly contract: Pick<Contract, 'documents' | 'unmatched'> | null;
  readonly unproven: Count;
  /** Operations of which the service refused every documented request, although no scenario failed because of that. */
  readonly unprovenOperations: readonly (Pick<Unaccepted, 'operation' | 'why'> & {
    /** The key to set or correct in the environment's file; null if no key would help. */
    readonly key: string | null;
  })[];
  readonly scenarios: readonly (Pick<ScenarioResult, 'title' | 'area' | 'verdict'> & {
    readonly grade: Grade | null;
    readonly reason: string | null;
    readonly unproven: boolean;
    readonly warnings: readonly string[];
    readonly durationMs: Milliseconds;
    readonly curl: string | null;
    /** Where to find the scenario's requests in the team's traces; null if no request was sent with this id. `url` needs TRACE_URL. */
    readonly trace: { readonly id: string; readonly url: string | null } | null;
    readonly exchanges: readonly {
      readonly operation: string;
      readonly status: StatusCode | null;
      readonly failure: ConnectionFailure | null;
      readonly durationMs: Milliseconds;
      /** Duration of each phase, in ms; a phase that didn't happen is absent. */
      readonly phases: Phases;
    }[];
    /** The `sentence` of the cause that explains this scenario's failure; null if there is none. */
    readonly cause: string | null;
  })[];
}
