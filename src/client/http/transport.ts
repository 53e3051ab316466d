import { randomUUID } from 'node:crypto';
import type { Operation } from '../../spec/index.ts';
import type { Exchange, SentRequest } from '../exchange.ts';
import type { PreparedRequest } from '../prepare.ts';
import type { Redactor } from '../redaction/redactor.ts';
import { acceptedEncodings, ResponseTooLarge, readBody } from './body.ts';
import { connectionFailureOf } from './connection-failure.ts';
import { deadline } from './deadline.ts';
import { phasesOf } from './phases.ts';
import { CALL_HEADER, type WireTrace, watchWire } from './wire.ts';

/** A request as an HTTP library is given it: with masks for credentials, and the header that names its call. */
export interface HttpRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Ends the request, wherever it is. */
  readonly signal: AbortSignal;
}

/**
 * An HTTP library. It must build on Node's own client, where the wire sees and keeps the response; it follows no
 * redirect, sends nothing twice and keeps no cookie.
 */
export interface Transport {
  /** Resolves when the response has ended; rejects, with whatever error, when there won't be a whole one. */
  request(request: HttpRequest): Promise<unknown>;
}

export interface SendOptions {
  readonly timeoutMs: number;
  readonly maxBytes: number;
  readonly redactor: Redactor;
  readonly signal?: AbortSignal;
}

/** Sends one request. Whatever the service does ends in an exchange; only a fault of the suite is thrown. */
export async function send(
  transport: Transport,
  operation: Operation,
  prepared: PreparedRequest,
  correlation: SentRequest['correlation'],
  options: SendOptions,
): Promise<Exchange> {
  const { redactor, timeoutMs, maxBytes, signal } = options;
  const { credentials, ...clear } = prepared;
  const request: SentRequest = {
    ...clear,
    correlation,
    url: redactor.text(clear.url),
    ...(clear.body === undefined ? {} : { body: redactor.text(clear.body) }),
  };
  const url = new URL(clear.url);
  const id = randomUUID();
  const wire = watchWire({
    id,
    origin: url.origin,
    credentials,
    unwanted: unwantedIn(clear.headers),
    maxBytes,
    redactor,
  });
  const startedAt = Date.now();
  const base = { operation: operation.id as Exchange['operation'], area: operation.area, startedAt, request };
  const limit = deadline(timeoutMs, signal);
  try {
    await transport.request({
      url: clear.url,
      method: clear.method,
      headers: {
        accept: '*/*',
        'accept-encoding': acceptedEncodings,
        ...correlation,
        ...clear.headers,
        [CALL_HEADER]: id,
      },
      ...(clear.body === undefined ? {} : { body: clear.body }),
      // The one deadline is `limit`: it can be told from a stop of the run.
      signal: limit.signal,
    });
    const { head, chunks, contentEncoding, maskedHeaders, certificateValidTo } = wire.trace;
    if (!head) throw new Error('a response that the wire did not see');
    const body = await readBody(Buffer.concat(chunks), contentEncoding, maxBytes, redactor);
    return {
      ...base,
      ...ended(wire.trace),
      response: { ...head, body },
      ...(body.masked || maskedHeaders ? { echoedSecret: true } : {}),
      ...(certificateValidTo ? { certificateValidTo } : {}),
    };
  } catch (error) {
    if (error instanceof ResponseTooLarge) wire.trace.tooLarge = 'decompressed';
    const failure = connectionFailureOf(wire.trace, {
      url,
      deadlineMs: timeoutMs,
      maxBytes,
      deadlineReached: limit.reached,
      aborted: !limit.reached && limit.signal.aborted,
      thrown: error,
    });
    return { ...base, ...ended(wire.trace), failure };
  } finally {
    limit.end();
    wire.end();
  }
}

/** Playwright gives every body a content type; a call that is meant to have none must lose it again. */
function unwantedIn(headers: SentRequest['headers']): string[] {
  return Object.keys(headers).some((name) => name.toLowerCase() === 'content-type') ? [] : ['content-type'];
}

function ended({ marks, serverAddress }: WireTrace): Pick<Exchange, 'durationMs' | 'phases' | 'serverAddress'> {
  const end = marks.end ?? performance.now();
  return { durationMs: end - marks.start, phases: phasesOf(marks), ...(serverAddress ? { serverAddress } : {}) };
}
