import { relative } from 'node:path';
import type { Environment } from '../../environment/index.ts';
import { workFolder } from '../../environment/project-root.ts';
import { exportSpan, exportsSpans, scenarioSpanId } from '../../http/index.ts';
import { type Verdict, verdicts } from '../../verdict/index.ts';
import { html, type Markup } from './html.ts';
import type { ScenarioResult } from './result.ts';
import { categoryOf } from './result-document.ts';

interface Made {
  readonly traceId: string;
  readonly environment: Environment;
}

/** The trace of a scenario with its link. Empty if the id was sent neither to the service nor to a collector. */
export function traceOf(
  { traceId: id, environment, exchanges }: Pick<ScenarioResult, 'exchanges'> & Made,
  verdict: Verdict,
): Pick<ScenarioResult, 'trace'> {
  const { sendsTraceparent = true, traceUrl } = environment;
  const isSent = sendsTraceparent && exchanges.length > 0;
  const isExported = exportsSpans() && (verdicts[verdict].ran || exchanges.length > 0);
  if (!isSent && !isExported) return {};
  return { trace: { id, ...(traceUrl ? { url: traceUrl.replaceAll('{traceId}', id) } : {}) } };
}

/** A line with a link to the trace, or with its id if the team has configured no viewer. `undefined` without a trace. */
export function traceLine(trace: ScenarioResult['trace']): Markup | undefined {
  if (!trace) return undefined;
  return html`<p>Trace ${trace.url ? html`<a href="${trace.url}">${trace.id}</a>` : html`<code>${trace.id}</code>`}</p>`;
}

/** Exports the span of a scenario, once its result is final. */
export function exportScenario({ name, route }: Environment, result: ScenarioResult): void {
  const { trace, title, area, effect, verdict, grade, reason = '', file, line, startedAt, durationMs } = result;
  if (!trace) return;
  const { isRed } = verdicts[verdict];
  const span = {
    traceId: trace.id,
    spanId: scenarioSpanId(trace.id),
    kind: 'internal' as const,
    name: title,
    ...{ startedAt, durationMs },
    attributes: {
      'sextant.environment': name,
      'sextant.area': area,
      'sextant.effect': effect,
      'sextant.verdict': verdict,
      'sextant.grade': grade,
      'sextant.reason': reason || undefined,
      'code.file.path': relative(workFolder, file).replaceAll('\\', '/'),
      'code.line.number': line,
      'error.type': isRed ? categoryOf(result) : undefined,
    },
    error: isRed ? reason : undefined,
  };
  exportSpan(span, route);
}
