import { randomUUID } from 'node:crypto';
import type { APIRequestContext, APIResponse } from '@playwright/test';
import type { Operation } from '../../spec/index.ts';
import type { Exchange, SentRequest } from '../exchange.ts';
import type { PreparedRequest } from '../prepare.ts';
import type { Redactor } from '../redaction/redactor.ts';
import { acceptedEncodings, ResponseTooLarge, readBody } from './body.ts';
import { connectionFailureOf } from './connection-failure.ts';
import { deadline } from './deadline.ts';
import { phasesOf } from './phases.ts';
import { CALL_HEADER, type WireTrace, watchWire } from './wire.ts';

export interface SendOptions {
  readonly timeoutMs: number;
  readonly maxBytes: number;
  readonly redactor: Redactor;
  readonly signal?: AbortSignal;
}

/** Sends one request. Whatever the service does ends in an exchange; only a fault of the suite is thrown. */
export async function send(
  context: APIRequestContext,
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
    const response: APIResponse = await context.fetch(clear.url, {
      method: clear.method,
      headers: { 'accept-encoding': acceptedEncodings, ...correlation, ...clear.headers, [CALL_HEADER]: id },
      ...(clear.body === undefined ? {} : { data: Buffer.from(clear.body) }),
      maxRedirects: 0,
      // The one deadline is `limit`: it can be told from a stop of the run.
      timeout: 0,
      signal: limit.signal,
    });
    const raw = Buffer.concat(wire.trace.chunks);
    const body = await readBody(raw, wire.trace.contentEncoding, maxBytes, redactor);
    const echoedSecret = body.masked || wire.trace.maskedHeaders;
    const validTo = (await response.securityDetails())?.validTo;
    return {
      ...base,
      ...ended(wire.trace),
      response: {
        status: response.status(),
        statusText: redactor.text(response.statusText()),
        headers: response.headersArray().map(({ name, value }) => [name, redactor.text(value)] as const),
        body,
      },
      ...(echoedSecret ? { echoedSecret } : {}),
      ...(validTo ? { certificateValidTo: validTo * 1000 } : {}),
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
