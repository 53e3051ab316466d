import type { ConnectionFailure, Phase, Phases } from '../../http/index.ts';
import type { Count, Milliseconds, ScenarioResult, StatusCode, UtcTime } from '../../run/index.ts';
import type { AskedFact } from '../../scenario/index.ts';
import type { AreaId } from '../../service/index.ts';
import type { Contract, Drift, Grade, Unaccepted, Verdict } from '../../verdict/index.ts';

/**
 * The document of `check --json` for one environment. For several environments, it prints an array. A later version may add fields, with the
 * same schemaVersion.
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
    /** One of the failing calls. */
    readonly curl: string;
    readonly scenarios: readonly string[];
  }[];
  /** Why one or more scenarios failed. */
  readonly causes: readonly {
    readonly sentence: string;
    /** The beginning of the service's error response. */
    readonly body: string | null;
    readonly verdict: Verdict;
    readonly grade: Grade | null;
    readonly areas: readonly AreaId[];
    readonly operations: readonly string[];
    readonly scenarios: readonly string[];
    /** Of these scenarios, those that only failed in clean-up, or needed an operation that is broken. */
    readonly follows: readonly string[];
  }[];
  readonly certificates: readonly {
    /** Origin: scheme, host and port. */
    readonly address: string;
    /** The authority whose certificate ends before the server's own. */
    readonly authority: string | null;
    readonly validTo: UtcTime;
    /** @asType integer */
    readonly daysLeft: number;
  }[];
  readonly credentials: readonly { readonly key: string; readonly expiresAt: UtcTime; readonly renewed: boolean }[];
  /** The facts that this run asked, because the environment lacks them, and the command that keeps them. */
  readonly asked: { readonly facts: readonly AskedFact[]; readonly keep: string | null };
  /** Facts of the environment that no longer hold, and the command that accepts all changes. */
  readonly drift: {
    readonly changes: readonly Pick<Drift, 'sentence' | 'evidence' | 'breaks'>[];
    readonly accept: string | null;
  };
  /** The team's own OpenAPI documents, and the operations that are in none of them. */
  readonly contract: Pick<Contract, 'documents' | 'unmatched'> | null;
  readonly unproven: Count;
  /** The operations whose documented request was sent and never accepted, though nothing failed for them. */
  readonly unprovenOperations: readonly (Pick<Unaccepted, 'operation' | 'why'> & {
    /** The key of the environment's file to set or correct; null if there is none. */
    readonly key: string | null;
  })[];
  readonly scenarios: readonly (Pick<ScenarioResult, 'title' | 'area' | 'verdict'> & {
    readonly grade: Grade | null;
    readonly reason: string | null;
    readonly unproven: boolean;
    readonly warnings: readonly string[];
    readonly durationMs: Milliseconds;
    readonly curl: string | null;
    /** Where to find its requests in the team's traces; null if nothing was sent with its id. `url` needs TRACE_URL. */
    readonly trace: { readonly id: string; readonly url: string | null } | null;
    readonly exchanges: readonly {
      readonly operation: string;
      readonly status: StatusCode | null;
      readonly failure: ConnectionFailure | null;
      readonly durationMs: Milliseconds;
      /** In ms; a phase that didn't happen is absent. */
      readonly phases: Phases;
    }[];
    /** The sentence of its cause. */
    readonly cause: string | null;
  })[];
}
