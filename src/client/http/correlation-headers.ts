import { createHash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { SentRequest } from '../exchange.ts';

const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

/** Name and version, as every request says them. */
export const userAgent = `sextant/${version}`;

/** The header that carries the run's id, unless an environment names another. */
export const RUN_HEADER = 'x-sextant-run';

/**
 * The headers that correlate a run's requests: name and version, a W3C `traceparent` whose trace is the run and whose span is the
 * request, and the run's id. `runHeader` null leaves the id out.
 */
export function correlationHeaders(
  runId: string,
  runHeader: string | null = RUN_HEADER,
): () => SentRequest['correlation'] {
  // Derived, so that all processes of a run share one trace.
  const trace = createHash('sha256').update(runId).digest('hex').slice(0, 32);
  return () => ({
    'user-agent': userAgent,
    traceparent: `00-${trace}-${spanId()}-01`,
    ...(runHeader === null ? {} : { [runHeader]: runId }),
  });
}

const SPAN_BYTES = 8;
let store = Buffer.alloc(0);
let used = 0;

/** 16 hex digits. Randomness is cheap in stock. */
function spanId(): string {
  if (used === store.length) {
    store = randomBytes(SPAN_BYTES * 256);
    used = 0;
  }
  used += SPAN_BYTES;
  return store.toString('hex', used - SPAN_BYTES, used);
}
