import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { SentRequest } from './exchange.ts';

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

/** Name and version, as every request says them. */
export const userAgent = `sextant/${version}`;

/** The header that carries the run's id, unless an environment names another. */
const RUN_HEADER = 'x-sextant-run';

/** The marks of a run's requests: a W3C `traceparent` whose trace is the run and whose span is the request. */
export function runMarks(runId: string): () => SentRequest['marks'] {
  const trace = randomBytes(16).toString('hex');
  return () => ({
    'user-agent': userAgent,
    traceparent: `00-${trace}-${randomBytes(8).toString('hex')}-01`,
    [RUN_HEADER]: runId,
  });
}
