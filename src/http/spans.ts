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

/** Exports a span over the route of its environment, if this process exports spans. */
export function exportSpan(span: Span, route: Route | undefined): void {
  exporting?.(span, route);
}

/**
 * Starts exporting the spans of this process, if OTEL_EXPORTER_OTLP_ENDPOINT or OTEL_EXPORTER_OTLP_TRACES_ENDPOINT names a collector. The export ends
 * when the result is disposed of. Calls `warn` once if spans are lost; a loss has no other effect.
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
  // Loaded on demand, because it takes 20 MB of memory, and only users with a collector need it.
  const { spanExporter } = await import('./span-exporter.ts');
  const exporter = await spanExporter(warn);
  exporting = (span, route) => exporter.add(span, route);
  return {
    [Symbol.asyncDispose]: async () => {
      exporting = undefined;
      await exporter.end();
    },
  };
}

/** Settings of an environment that affect its traces. */
interface Traced {
  readonly name: string;
  readonly route?: Route;
  /** The header for the run id; null for none. */
  readonly runHeader?: string | null;
  /** Whether requests carry `traceparent`. */
  readonly sendsTraceparent?: boolean;
}

/**
 * Returns a function that makes the correlation headers of the calls in one trace, and a function `traced` that exports their spans.
 * `ofScenario` is the trace id of a scenario; without it, the trace belongs to no scenario.
 */
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
