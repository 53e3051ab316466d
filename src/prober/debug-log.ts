import type { ScenarioResult } from '../run/index.ts';
import { responseLine } from '../verdict/index.ts';
import type { Measured } from './prober.ts';

/** The log of a probe, for people to read. The server redacts the log again. */
export function debugLog({ results, outcome, durationMs = 0 }: Measured, metrics: string): string {
  const judged = outcome.success === undefined ? 'not judged' : outcome.success ? 'success' : 'failure';
  return [
    `${judged}: ${outcome.verdict}, in ${Math.round(durationMs)} ms`,
    '',
    ...results.flatMap(scenarioLines),
    'Metrics of this probe:',
    metrics,
  ].join('\n');
}

function scenarioLines({ title, area, effect, verdict, reason, durationMs, ...rest }: ScenarioResult): string[] {
  const { exchanges, warnings = [], curl } = rest;
  return [
    `${verdict}  ${title} (${area}, ${effect}), ${Math.round(durationMs)} ms`,
    ...(reason ? [`  ${reason}`] : []),
    ...exchanges.map(({ operation, request, response, failure, durationMs: ms }) => {
      const seen = response ? responseLine(response, 200) : `no response: ${failure?.reason ?? 'unknown'}`;
      return `  ${operation}: ${request.method} ${request.url} — ${seen} (${Math.round(ms)} ms)`;
    }),
    ...warnings.map((warning) => `  warning: ${warning}`),
    ...(curl ? [`  ${curl}`] : []),
    '',
  ];
}
