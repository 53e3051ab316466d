import type { Contract } from '../../client/index.ts';
import type { CredentialEnd } from '../../config/index.ts';
import {
  type Certificate,
  certificatesOf,
  hostFailures,
  overallVerdict,
  type ScenarioResult,
} from '../../runner/index.ts';
import { type Cause, type Finding, keyLines } from '../../scenario/index.ts';

/** One environment's run. */
export interface Checked {
  readonly environment: string;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly results: readonly ScenarioResult[];
  /** What they failed for. */
  readonly causes: readonly Cause[];
  /** The readings that it found where the specification is silent. */
  readonly findings: readonly Finding[];
  /** What was judged the last time and is not now, and what ends soon and nothing renews, in lines. */
  readonly remarks: readonly string[];
  /** When its credentials expire, where that is known. */
  readonly credentials: readonly CredentialEnd[];
  /** The team's own contract, to which it was held. */
  readonly contract?: Contract;
}

/** The document that `check --json` prints; docs/check.md describes it. */
export function checkDocument(checked: Checked) {
  const { environment, startedAt, endedAt, results, causes, findings, contract, credentials } = checked;
  const exchanges = results.flatMap((result) => result.exchanges);
  return {
    environment,
    startedAt: new Date(startedAt).toISOString(),
    durationMs: endedAt - startedAt,
    verdict: overallVerdict(results.map(({ verdict }) => verdict)),
    hosts: hostFailures(results),
    causes: causes.map(cause),
    certificates: certificatesOf(exchanges, endedAt).map(certificate),
    /** When each credential expires, where that is known. */
    credentials: credentials.map(({ key, endsAt, isRenewed }) => ({
      key,
      expiresAt: new Date(endsAt).toISOString(),
      renewed: isRenewed,
    })),
    /** Readings found in this run, where the specification is silent; `keys` define them for the next run. */
    found: { readings: findings.map(finding), keys: keyLines(findings) },
    /** The team's own OpenAPI documents, and the operations that are in none of them. */
    contract: contract ? { documents: contract.documents, unmatched: contract.unmatched } : null,
    unproven: results.filter((result) => result.unproven).length,
    scenarios: results.map((result) => ({
      ...scenario(result),
      cause: causes.find(({ tests }) => tests.includes(result.title))?.sentence ?? null,
    })),
  };
}

export type CheckDocument = ReturnType<typeof checkDocument>;

function finding({ question, reading, header, operation }: Finding) {
  return { question, reading, header: header ?? null, operation: operation ?? null };
}

function scenario(result: ScenarioResult) {
  const { title, area, verdict, grade, reason, unproven = false, warnings, durationMs, curl, exchanges } = result;
  return {
    title,
    area,
    verdict,
    grade: grade ?? null,
    reason: reason ?? null,
    unproven,
    warnings: warnings ?? [],
    durationMs: tenths(durationMs),
    curl: curl ?? null,
    exchanges: exchanges.map((exchange) => ({
      operation: exchange.operation,
      status: exchange.response?.status ?? null,
      failure: exchange.failure ?? null,
      durationMs: tenths(exchange.durationMs),
      phases: Object.fromEntries(Object.entries(exchange.phases).map(([phase, ms]) => [phase, tenths(ms)])),
    })),
  };
}

/** What one or more scenarios failed for; `follows` merely failed in clean-up, or needed what is broken. */
function cause({ sentence, verdict, grade, areas, operations, tests, follows }: Cause) {
  return { sentence, verdict, grade: grade ?? null, areas, operations, scenarios: tests, follows };
}

function certificate({ address, validTo, daysLeft }: Certificate) {
  return { address, validTo: new Date(validTo).toISOString(), daysLeft };
}

/** More digits would only suggest precision. */
function tenths(ms: number): number {
  return Math.round(ms * 10) / 10;
}
