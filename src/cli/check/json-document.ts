import {
  type Certificate,
  certificatesOf,
  hostFailures,
  overallVerdict,
  type ScenarioResult,
} from '../../runner/index.ts';

/** The document that `check --json` prints; docs/check.md describes it. */
export function checkDocument(
  environment: string,
  startedAt: number,
  endedAt: number,
  results: readonly ScenarioResult[],
) {
  const exchanges = results.flatMap((result) => result.exchanges);
  return {
    environment,
    startedAt: new Date(startedAt).toISOString(),
    durationMs: endedAt - startedAt,
    verdict: overallVerdict(results.map(({ verdict }) => verdict)),
    hosts: hostFailures(results),
    certificates: certificatesOf(exchanges, endedAt).map(certificate),
    scenarios: results.map(scenario),
  };
}

export type CheckDocument = ReturnType<typeof checkDocument>;

function scenario({ title, area, verdict, grade, reason, warnings, durationMs, curl, exchanges }: ScenarioResult) {
  return {
    title,
    area,
    verdict,
    grade: grade ?? null,
    reason: reason ?? null,
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

function certificate({ address, validTo, daysLeft }: Certificate) {
  return { address, validTo: new Date(validTo).toISOString(), daysLeft };
}

/** More digits would only suggest precision. */
function tenths(ms: number): number {
  return Math.round(ms * 10) / 10;
}
