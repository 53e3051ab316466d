import { overall, type ScenarioResult } from '../resident/index.ts';

/** The document that `check --json` prints. */
export function checkDocument(environment: string, startedAt: number, results: readonly ScenarioResult[]) {
  return {
    environment,
    startedAt: new Date(startedAt).toISOString(),
    durationMs: Date.now() - startedAt,
    verdict: overall(results.map(({ verdict }) => verdict)),
    scenarios: results.map(({ title, area, verdict, grade, reason, durationMs, curl, notes = [], exchanges }) => ({
      title,
      area,
      verdict,
      grade: grade ?? null,
      reason: reason ?? null,
      durationMs: Math.round(durationMs),
      curl: curl ?? null,
      notes: notes.map(({ kind, text }) => ({ kind, text })),
      exchanges: exchanges.map((exchange) => ({
        operation: exchange.operation,
        status: exchange.answer?.status ?? null,
        durationMs: exchange.durationMs,
        phases: exchange.phases,
      })),
    })),
  };
}
