import { randomUUID } from 'node:crypto';
import { Redactor } from '../redaction/redactor.ts';
import { readBody } from './body.ts';
import { Deadline } from './deadline.ts';
import type { Transport } from './transport.ts';
import { CALL_HEADER, watchWire } from './wire.ts';

/** Largest response of a helper, in bytes. */
const MOST_BYTES = 1_000_000;

/**
 * Posts JSON to a helper of the suite (not the service under test) and returns its JSON. Nothing is redacted: a
 * helper may hand out credentials.
 * `json` is undefined if there is none.
 * @throws the HTTP library's error, which may contain the call's headers.
 */
export async function askForJson(
  transport: Transport,
  url: URL,
  { body, headers, timeoutMs }: { body: object; headers: Readonly<Record<string, string>>; timeoutMs: number },
): Promise<{ readonly status: number; readonly json: unknown }> {
  const id = randomUUID();
  const redactor = new Redactor([]);
  const none = { credentials: new Map(), unwanted: [] };
  const limit = new Deadline(timeoutMs);
  const wire = watchWire({ id, origin: url.origin, maxBytes: MOST_BYTES, redactor, ...none });
  try {
    await transport.request({
      url,
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json', ...headers, [CALL_HEADER]: id },
      body: JSON.stringify(body),
      signal: limit.signal,
      onNewConnection: false,
    });
    const { head, chunks, contentEncoding } = wire.trace;
    const { json } = await readBody(Buffer.concat(chunks), contentEncoding, MOST_BYTES, redactor);
    return { status: head?.status ?? 0, json: json.ok ? json.value : undefined };
  } finally {
    limit.end();
    wire.end();
  }
}
