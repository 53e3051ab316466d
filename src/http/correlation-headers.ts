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

/** A span id: sixteen digits of a UUID. Node generates UUIDs in advance, so this costs less than random bytes for each request. */
export function newSpanId(): string {
  return newTraceId().slice(16);
}

/** The id of a scenario's span, derived from the id of its trace, so that every call of the trace knows its parent. */
export function scenarioSpanId(traceId: string): string {
  return traceId.slice(16);
}

/**
 * Returns the headers by which the traffic of Sextant can be found: user agent, the run id, and a W3C `traceparent` with the scenario as
 * trace and the request as span. The flag in `traceparent` is "sampled" even if no spans are exported. Otherwise services that record a
 * span only if their caller does would drop theirs. There is no `traceparent` without a trace id, and no run id if `runHeader` is null.
 */
export function correlationHeaders(runId: string, runHeader: string | null, traceId: string | undefined) {
  return (spanId = newSpanId()): SentRequest['correlation'] => ({
    'user-agent': userAgent,
    ...(traceId === undefined ? {} : { traceparent: `00-${traceId}-${spanId}-01` }),
    ...(runHeader === null ? {} : { [runHeader]: runId }),
  });
}
