import { callSpan, type Span } from './call-span.ts';
import { correlationHeaders, newTraceId, RUN_HEADER, scenarioSpanId } from './correlation-headers.ts';
import type { Exchange } from './exchange.ts';
import type { Route } from './route.ts';

type Export = (span: Span, route: Route | undefined) => void;

let exporting: Export | undefined;

/** Whether this process exports spans. */
export function exportsSpans(): boolean {
  return exporting !== undefined;
}

/** Exports a span, if this process exports any, by the route of its environment. */
export function exportSpan(span: Span, route: Route | undefined): void {
  exporting?.(span, route);
}

/**
 * Exports the spans of this process, until the result is disposed of, where OTEL_EXPORTER_OTLP_ENDPOINT or
 * OTEL_EXPORTER_OTLP_TRACES_ENDPOINT names a collector. `warn` is called once if spans are lost, which has no other effect.
 */
export async function startSpans(warn: (line: string) => void): Promise<AsyncDisposable> {
  const none = { [Symbol.asyncDispose]: async () => {} };
  const variable = (name: string) => process.env[name]?.trim() ?? '';
  const endpoint = variable('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT') || variable('OTEL_EXPORTER_OTLP_ENDPOINT');
  const isOff = variable('OTEL_SDK_DISABLED').toLowerCase() === 'true' || variable('OTEL_TRACES_EXPORTER') === 'none';
  if (endpoint === '' || isOff) return none;
  if (!/^https?:$/.test(URL.parse(endpoint)?.protocol ?? '')) {
    warn("Traces aren't exported: OTEL_EXPORTER_OTLP_ENDPOINT is not an http:// or https:// address.");
    return none;
  }
  // Loaded only here: 20 MB of memory, for those who have a collector.
  const { spanExporter } = await import('./span-exporter.ts');
  const exporter = await spanExporter(warn);
  exporting = exporter.add;
  return {
    [Symbol.asyncDispose]: async () => {
      exporting = undefined;
      await exporter.end();
    },
  };
}

/** The settings of an environment that traces depend on. */
interface Traced {
  readonly name: string;
  readonly route?: Route;
  /** The header with the run id; null for none. */
  readonly runHeader?: string | null;
  /** Whether requests carry `traceparent`. */
  readonly sendsTraceparent?: boolean;
}

/** The correlation headers of calls in one trace, and who exports the spans of these calls. Without `ofScenario` the trace is no scenario's. */
export function tracing(
  { name, route, runHeader = RUN_HEADER, sendsTraceparent = true }: Traced,
  runId: string,
  ofScenario?: string,
) {
  const traceId = ofScenario ?? newTraceId();
  const parentId = ofScenario && scenarioSpanId(ofScenario);
  return {
    correlation: correlationHeaders(runId, runHeader, sendsTraceparent ? traceId : undefined),
    traced: (exchange: Exchange): void => exporting?.(callSpan(exchange, { traceId, parentId }, name), route),
  };
}
