import type { Redactor } from '../redaction/index.ts';
import type { Operation } from '../service/index.ts';
import { accepted, BodyNotSearched, ResponseTooLarge, readBody } from './body.ts';
import { connectionFailureOf } from './connection-failure.ts';
import { Deadline } from './deadline.ts';
import type { Exchange, PreparedRequest, SentRequest, Tampered } from './exchange.ts';
import { phasesOf } from './phases.ts';
import { connectedHost, type Route } from './route.ts';
import { CALL_HEADER, type WireTrace, watchWire } from './wire.ts';

/** A request for an HTTP library, with masks in place of credentials, and with the header that identifies its call. */
export interface HttpRequest {
  readonly url: URL;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The headers that every request of the caller has (its header set). */
  readonly ofSet: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal: AbortSignal;
  readonly onNewConnection: boolean;
}

/**
 * An HTTP library. It must use Node's HTTP client, because `watchWire` observes that client and keeps the response. It must not follow redirects,
 * repeat requests or keep cookies.
 */
export interface Transport {
  /**
   * Resolves when the response has ended. If a drill made or changed the response, the result says how the service treated the request.
   * Rejects with any error if the response can't complete.
   */
  request(request: HttpRequest): Promise<Tampered | undefined>;
}

export interface SendOptions {
  readonly timeoutMs: number;
  readonly maxBytes: number;
  readonly maxHeaderBytes: number;
  readonly redactor: Redactor;
  readonly signal?: AbortSignal;
  readonly route?: Route | undefined;
}

/**
 * Sends one request. Anything the service does becomes an exchange; only errors of the suite are thrown.
 *
 * A service may close a kept-open connection while a request is on its way. That says nothing about the service, but looks like a failure. Such a
 * request is sent again, once, over a new connection, if all of these hold:
 * - its operation only reads, so that sending it twice is harmless even if the first one arrived;
 * - it went over a connection that an earlier request had used;
 * - the connection ended before the first byte of the response.
 * A request that may change something is never sent again. If its origin was seen to close kept-open connections, the request uses a new one from the
 * start.
 */
export async function send(
  transport: Transport,
  operation: Operation,
  prepared: PreparedRequest,
  correlation: SentRequest['correlation'],
  options: SendOptions,
): Promise<Exchange> {
  const limit = new Deadline(options.timeoutMs, options.signal);
  const url = new URL(prepared.url);
  const attempt = { ...options, transport, operation, prepared, url, correlation, limit };
  try {
    const { origin } = url;
    const isRead = operation.effect === 'read';
    const onOwn = !isRead && isClosing(origin);
    const { exchange, trace } = await sendOnce(attempt, onOwn);
    if (wasStale(trace) || takesOneRequest(trace)) closings.set(origin, performance.now());
    if (onOwn) return { ...exchange, onOwnConnection: true };
    if (!isRead || !wasStale(trace) || limit.signal.aborted) return exchange;
    return { ...(await sendOnce(attempt, true)).exchange, sentAgain: true };
  } finally {
    limit.end();
  }
}

/** How long an origin is expected to close kept-open connections after it last did or announced it, in ms. */
const CLOSING_MS = 600_000;

/** When an origin last closed a kept-open connection, or announced that it takes only one request on each connection; by origin. */
const closings = new Map<string, number>();

function isClosing(origin: string): boolean {
  return performance.now() - (closings.get(origin) ?? Number.NEGATIVE_INFINITY) < CLOSING_MS;
}

/** True if a response on a new connection says `Keep-Alive: max=1` (or `max=0`), so that no other request may use the connection. */
function takesOneRequest({ isUnanswered, head }: WireTrace): boolean {
  const isNew = isUnanswered === undefined;
  return (
    isNew && head?.headers.some(([name, value]) => /^keep-alive$/i.test(name) && /\bmax=[01]\b/.test(value)) === true
  );
}

/** True if a kept-open connection ended without a byte of a response. */
function wasStale({ isUnanswered, error }: WireTrace): boolean {
  return isUnanswered !== undefined && ['ECONNRESET', 'EPIPE'].includes(error?.code ?? '') && isUnanswered();
}

interface Attempt extends SendOptions, Pick<SentRequest, 'correlation'> {
  readonly transport: Transport;
  readonly operation: Operation;
  readonly prepared: PreparedRequest;
  readonly url: URL;
  readonly limit: Deadline;
}

/** The number of calls of this process. It identifies a call on its way through the HTTP library. */
let calls = 0;

async function sendOnce(attempt: Attempt, onNewConnection: boolean): Promise<{ exchange: Exchange; trace: WireTrace }> {
  const { transport, operation, prepared, url, correlation, redactor, limit, route, maxBytes, maxHeaderBytes } =
    attempt;
  const { credentials, ofSet = {}, ...clear } = prepared;
  const masked = clear.body === undefined ? {} : { body: redactor.text(clear.body) };
  const request: SentRequest = { ...clear, correlation, url: redactor.recurring(clear.url), ...masked };
  const id = `${++calls}`;
  const proxy = route?.proxyFor(url)?.url;
  // Playwright adds a content type to every request with a body. If the call has no content type, this header must be removed.
  const hasType = Object.keys(clear.headers).some((name) => name.toLowerCase() === 'content-type');
  const unwanted = hasType ? [] : ['content-type'];
  const limits = { unwanted, maxBytes, maxHeaderBytes };
  const wire = watchWire({ id, proxy, ca: route?.tls.ca, origin: url.origin, credentials, ...limits, redactor });
  const startedAt = Date.now();
  const base = { operation: operation.id as Exchange['operation'], area: operation.area, startedAt, request };
  try {
    const sent = transport.request({
      url,
      method: clear.method,
      headers: { ...accepted, ...correlation, ...clear.headers, [CALL_HEADER]: id },
      ofSet,
      ...(clear.body === undefined ? {} : { body: clear.body }),
      // The library gets no time limit, but only this signal. So `limit` knows whether the deadline or a stop of the run ended the call.
      signal: limit.signal,
      onNewConnection,
    });
    const tampered = await sent.catch((error: unknown) => {
      if (!wire.trace.hasStrayBody) throw error;
      return undefined;
    });
    const { head, chunks, contentEncoding, maskedHeaders, certificates } = wire.trace;
    if (!head) throw new Error('a response that the wire did not see');
    // An exchange keeps its trace for stray bytes, so the trace must not keep the body, too.
    const raw = Buffer.concat(chunks.splice(0));
    const body = await readBody(raw, contentEncoding, maxBytes, redactor);
    const exchange: Exchange = {
      ...base,
      ...ended(wire.trace),
      // A getter, because stray bytes may arrive after the end of the response.
      get hasStrayBody() {
        return wire.trace.hasStrayBody === true;
      },
      response: { ...head, body },
      ...(body.masked || maskedHeaders ? { echoedSecret: true } : {}),
      ...(certificates ? { certificateValidTo: certificates.at } : {}),
      ...(certificates?.authority === undefined ? {} : { certificateAuthority: certificates.authority }),
      ...(tampered ? { tampered } : {}),
    };
    return { exchange, trace: wire.trace };
  } catch (error) {
    if (error instanceof ResponseTooLarge) wire.trace.tooLarge = error.when;
    if (error instanceof BodyNotSearched) wire.trace.unsearched = error.bytes;
    const failure = failureOf(attempt, wire.trace, { url, proxy }, error);
    const echoed = wire.trace.maskedHeaders ? ({ echoedSecret: true } as const) : {};
    return { exchange: { ...base, ...ended(wire.trace), failure, ...echoed }, trace: wire.trace };
  } finally {
    wire.end();
  }
}

function failureOf(
  { route, timeoutMs: deadlineMs, maxBytes, maxHeaderBytes, limit }: Attempt,
  trace: WireTrace,
  { url, proxy }: { readonly url: URL; readonly proxy: URL | undefined },
  thrown: unknown,
) {
  const [host, deadlineReached] = [connectedHost(url, route), limit.reached];
  const aborted = !deadlineReached && limit.signal.aborted;
  const limits = { deadlineMs, maxBytes, maxHeaderBytes, deadlineReached, aborted };
  return connectionFailureOf(trace, { url, proxy, host, thrown, ...limits });
}

type Ended = Pick<Exchange, 'durationMs' | 'phases' | 'serverAddress' | 'silentAddresses'>;

function ended({ marks, serverAddress, silentAddresses }: WireTrace): Ended {
  const end = marks.end ?? performance.now();
  return {
    durationMs: end - marks.start,
    phases: phasesOf(marks),
    ...(serverAddress ? { serverAddress } : {}),
    ...(silentAddresses ? { silentAddresses } : {}),
  };
}
