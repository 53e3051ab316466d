import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { SentRequest } from './exchange.ts';

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

export const userAgent = `sextant/${version}`;

export const RUN_HEADER = 'x-sextant-run';

/** The id of a trace, in 32 hexadecimal digits. */
export function newTraceId(): string {
  return randomUUID().replaceAll('-', '');
}

/** Sixteen digits of a UUID, of which Node keeps a store: random bytes for each request would cost more. */
export function newSpanId(): string {
  return newTraceId().slice(16);
}

/** The span of a scenario, by the id of its trace: whoever knows the trace knows the parent of its calls. */
export function scenarioSpanId(traceId: string): string {
  return traceId.slice(16);
}

/**
 * The headers that correlate requests: name and version, a W3C `traceparent` with the scenario as trace and the request as span, and the run
 * id. The flag says "sampled" even where no spans are exported: services that follow their caller drop the rest. Without a trace or a header
 * for the run id, the headers lack it.
 */
export function correlationHeaders(runId: string, runHeader: string | null, traceId: string | undefined) {
  return (spanId = newSpanId()): SentRequest['correlation'] => ({
    'user-agent': userAgent,
    ...(traceId === undefined ? {} : { traceparent: `00-${traceId}-${spanId}-01` }),
    ...(runHeader === null ? {} : { [runHeader]: runId }),
  });
}
