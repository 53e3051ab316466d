import { hash, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { SentRequest } from './exchange.ts';

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

export const userAgent = `sextant/${version}`;

export const RUN_HEADER = 'x-sextant-run';

/**
 * The headers that correlate a run's requests: name and version, a W3C `traceparent` with the run as trace and the
 * request as span, and the run id. `runHeader` null omits the run id.
 */
export function correlationHeaders(
  runId: string,
  runHeader: string | null = RUN_HEADER,
): () => SentRequest['correlation'] {
  // Derived from the run id, so that all processes of a run share one trace.
  const trace = hash('sha256', runId).slice(0, 32);
  return () => ({
    'user-agent': userAgent,
    traceparent: `00-${trace}-${spanId()}-01`,
    ...(runHeader === null ? {} : { [runHeader]: runId }),
  });
}

/** Sixteen digits of a UUID, of which Node keeps a store: random bytes for each request would cost more. */
function spanId(): string {
  const id = randomUUID();
  return id.slice(19, 23) + id.slice(24);
}
