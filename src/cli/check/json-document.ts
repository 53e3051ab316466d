import {
  type Certificate,
  causesOfResults,
  certificatesOf,
  hostFailures,
  overallVerdict,
  type ScenarioResult,
} from '../../runner/index.ts';
import { type Cause, type Finding, keyLines } from '../../scenario/index.ts';
import type { Checked } from './check-environments.ts';

/** The document that `check --json` prints; docs/check.md describes it. */
export function checkDocument({ environment, startedAt, endedAt, results, findings, contract, credentials }: Checked) {
  const exchanges = results.flatMap((result) => result.exchanges);
  const causes = causesOfResults(environment, results);
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
