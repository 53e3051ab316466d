import { randomUUID } from 'node:crypto';
import type { Operation } from '../../spec/index.ts';
import type { Exchange, SentRequest } from '../exchange.ts';
import type { PreparedRequest } from '../prepare.ts';
import type { Redactor } from '../redaction/redactor.ts';
import { acceptedEncodings, ResponseTooLarge, readBody } from './body.ts';
import { connectionFailureOf } from './connection-failure.ts';
import { type Deadline, deadline } from './deadline.ts';
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
  /** It should not go over a connection that was kept open, as far as the library can be told. */
  readonly onNewConnection: boolean;
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

/**
 * Sends one request. Whatever the service does ends in an exchange; only a fault of the suite is thrown.
 *
 * A service may close a kept-open connection while a request is on its way to it: that says nothing of the service, but
 * looks like a failure. Such a request is sent again, once, over a new connection, when all of this is so:
 * - its operation only reads, so that sending it twice changes nothing even if the first one was read after all;
 * - it went over a connection that an earlier request had used;
 * - the connection ended before a byte of the response came.
 * What may change something is never sent again.
 */
export async function send(
  transport: Transport,
  operation: Operation,
  prepared: PreparedRequest,
  correlation: SentRequest['correlation'],
  options: SendOptions,
): Promise<Exchange> {
  const limit = deadline(options.timeoutMs, options.signal);
  const attempt = (onNewConnection: boolean) =>
    sendOnce(transport, operation, prepared, correlation, { ...options, limit, onNewConnection });
  try {
    const { exchange, trace } = await attempt(false);
    if (operation.effect !== 'read' || !wasStale(trace) || limit.signal.aborted) return exchange;
    return { ...(await attempt(true)).exchange, sentAgain: true };
  } finally {
    limit.end();
  }
}

/** A kept-open connection that ended without a byte of a response. */
function wasStale({ isUnanswered, error }: WireTrace): boolean {
  return isUnanswered !== undefined && ['ECONNRESET', 'EPIPE'].includes(error?.code ?? '') && isUnanswered();
}

interface AttemptOptions extends SendOptions {
  readonly limit: Deadline;
  readonly onNewConnection: boolean;
}

async function sendOnce(
  transport: Transport,
  operation: Operation,
  prepared: PreparedRequest,
  correlation: SentRequest['correlation'],
  { redactor, timeoutMs, maxBytes, limit, onNewConnection }: AttemptOptions,
): Promise<{ readonly exchange: Exchange; readonly trace: WireTrace }> {
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
      onNewConnection,
    });
    const { head, chunks, contentEncoding, maskedHeaders, certificateValidTo } = wire.trace;
    if (!head) throw new Error('a response that the wire did not see');
    const body = await readBody(Buffer.concat(chunks), contentEncoding, maxBytes, redactor);
    const exchange: Exchange = {
      ...base,
      ...ended(wire.trace),
      response: { ...head, body },
      ...(body.masked || maskedHeaders ? { echoedSecret: true } : {}),
      ...(certificateValidTo ? { certificateValidTo } : {}),
    };
    return { exchange, trace: wire.trace };
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
    const echoed = wire.trace.maskedHeaders ? ({ echoedSecret: true } as const) : {};
    return { exchange: { ...base, ...ended(wire.trace), failure, ...echoed }, trace: wire.trace };
  } finally {
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
