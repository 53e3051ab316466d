import diagnostics from 'node:diagnostics_channel';
import type { ClientRequest, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import type { Redactor } from '../redaction/redactor.ts';
import { headHoldsSecret, maskHead, maskTrailers } from './mask-head.ts';
import type { Timestamps } from './phases.ts';
import type { ResponseHead } from './response-head.ts';

/** Names a call on its way through the HTTP library; taken off before it is sent. */
export const CALL_HEADER = 'x-sextant-call';

/** What to do for a call at the socket, and what was seen there. */
export interface WireCall {
  readonly id: string;
  /** The only origin that may see the credentials. */
  readonly origin: string;
  /** Header values in clear, put on in place of their masks. */
  readonly credentials: ReadonlyMap<string, string>;
  /** Headers that the library adds of its own accord, though the call is meant to go without them. */
  readonly unwanted: readonly string[];
  /** Limit of the body as it is transferred. */
  readonly maxBytes: number;
  readonly redactor: Redactor;
}

export interface WireTrace {
  marks: { -readonly [K in keyof Timestamps]: Timestamps[K] };
  /** The body as it was transferred. */
  readonly chunks: Buffer[];
  contentEncoding?: string;
  /** Status line and headers, secrets masked. */
  head?: ResponseHead;
  /** When the certificate ends; epoch, in ms. */
  certificateValidTo?: number;
  /** There was a secret in the response's status line, headers or trailers, or in an informational (1xx) one; it was masked. */
  maskedHeaders?: true;
  /** The body was above the limit: as it was transferred, or only when decompressed. */
  tooLarge?: 'transferred' | 'decompressed';
  /** What went wrong on the connection. */
  error?: NodeJS.ErrnoException;
  /** Whether not a byte came back over a kept-open connection; absent for a new one. */
  isUnanswered?: () => boolean;
  /** What went wrong in here. */
  fault?: unknown;
  /** A request was made of the call. */
  created?: boolean;
  serverAddress?: string;
}

const calls = new Map<string, { call: WireCall; trace: WireTrace }>();

/**
 * Watches a call at Node's own HTTP client, below every transport. Credentials are put on here and nowhere else: a
 * library above sees only masks, so neither its errors nor its logs, steps or traces can hold a secret.
 * `end` must be called when the call is over.
 */
export function watchWire(call: WireCall): { trace: WireTrace; end(): void } {
  subscribe();
  const trace: WireTrace = { marks: { start: performance.now() }, chunks: [] };
  calls.set(call.id, { call, trace });
  return { trace, end: () => void calls.delete(call.id) };
}

/** More 1xx answers to one request end it. */
const MOST_INFORMATIONAL = 100;

let subscribed = false;

function subscribe(): void {
  if (subscribed) return;
  subscribed = true;
  diagnostics.subscribe('http.client.request.created', (message) => {
    const { request } = message as { request: ClientRequest };
    const id = request.getHeader(CALL_HEADER);
    const tracked = typeof id === 'string' ? calls.get(id) : undefined;
    if (tracked) guarded(tracked.trace, request, () => onCreated(request, tracked.call, tracked.trace));
  });
  diagnostics.subscribe('http.client.response.finish', (message) => {
    const { request, response } = message as { request: ClientRequest; response: IncomingMessage };
    const tracked = trackedRequests.get(request);
    if (tracked) guarded(tracked.trace, request, () => onAnswer(response, tracked.call, tracked.trace));
  });
}

/** A subscriber that throws would end the process; here it ends the call. */
function guarded(trace: WireTrace, request: ClientRequest, work: () => void): void {
  try {
    work();
  } catch (error) {
    trace.fault = error;
    request.destroy();
  }
}

const trackedRequests = new WeakMap<ClientRequest, { call: WireCall; trace: WireTrace }>();

function onCreated(request: ClientRequest, call: WireCall, trace: WireTrace): void {
  trackedRequests.set(request, { call, trace });
  for (const name of [CALL_HEADER, ...call.unwanted]) request.removeHeader(name);
  if (`${request.protocol}//${request.getHeader('host')}` === call.origin) {
    for (const [name, value] of call.credentials) request.setHeader(name, value);
  }
  const { marks } = trace;
  trace.created = true;
  marks.start = performance.now();
  request.on('error', (error) => failed(trace, error));
  let informational = 0;
  request.on('information', ({ statusMessage, rawHeaders }) => {
    if (headHoldsSecret([statusMessage, ...rawHeaders], call.redactor)) trace.maskedHeaders = true;
    // One or two are usual; a flood of them would keep this process from everything else.
    if (++informational > MOST_INFORMATIONAL) request.destroy(informationalFlood());
  });
  request.once('upgrade', (_, socket) => {
    socket.destroy();
    // Node takes the request for done, and says nothing more of it.
    request.emit('error', unaskedUpgrade());
  });
  request.once('socket', (socket) => {
    const located = () => {
      if (socket.remoteAddress) trace.serverAddress = `${socket.remoteAddress}:${socket.remotePort}`;
    };
    located();
    if (request.reusedSocket) {
      marks.reused = performance.now();
      const earlier = socket.bytesRead;
      trace.isUnanswered = () => socket.bytesRead === earlier;
      certified(socket, trace);
      return;
    }
    socket.once('lookup', (error) => {
      if (!error) marks.dns = performance.now();
    });
    socket.once('connect', () => {
      marks.connect = performance.now();
      located();
    });
    socket.once('secureConnect', () => {
      marks.tls = performance.now();
      certified(socket, trace);
    });
  });
}

function informationalFlood(): NodeJS.ErrnoException {
  return Object.assign(new Error('too many informational answers'), { code: 'INFORMATIONAL_FLOOD' });
}

function unaskedUpgrade(): NodeJS.ErrnoException {
  return Object.assign(new Error('unasked upgrade'), { code: 'UNASKED_UPGRADE' });
}

function failed(trace: WireTrace, error: Error): void {
  // Ending a call for a reason of our own makes errors too.
  if (!trace.fault && !trace.tooLarge) trace.error ??= error;
}

function onAnswer(response: IncomingMessage, call: WireCall, trace: WireTrace): void {
  trace.marks.answer = performance.now();
  const encoding = response.headers['content-encoding'];
  if (encoding) trace.contentEncoding = encoding;
  // Without this header Playwright hands the body over as it came: it would inflate a bomb without a limit.
  delete response.headers['content-encoding'];
  // No cookie of one answer may change the next call.
  delete response.headers['set-cookie'];
  // The library logs the head.
  if (maskHead(response, call.redactor)) trace.maskedHeaders = true;
  trace.head = {
    status: response.statusCode ?? 0,
    statusText: response.statusMessage ?? '',
    headers: pairs(response.rawHeaders),
  };
  response.on('error', (error) => failed(trace, error));
  takeBody(response, call, trace);
}

/** When a socket's certificate ends; read once, for it is written out anew each time. */
const validTo = new WeakMap<TLSSocket, number>();

function certified(socket: Socket, trace: WireTrace): void {
  if (!(socket instanceof TLSSocket)) return;
  const end = validTo.get(socket) ?? Date.parse(socket.getPeerCertificate().valid_to);
  if (Number.isNaN(end)) return;
  validTo.set(socket, end);
  trace.certificateValidTo = end;
}

function pairs(raw: readonly string[]): [name: string, value: string][] {
  const all: [string, string][] = [];
  for (let index = 0; index + 1 < raw.length; index += 2) all.push([raw[index] as string, raw[index + 1] as string]);
  return all;
}

/** Takes the body for itself, up to the limit: the library, which would keep a copy, sees an empty one. */
function takeBody(response: IncomingMessage, { maxBytes, redactor }: WireCall, trace: WireTrace): void {
  let bytes = 0;
  const push = response.push;
  response.push = function (chunk: Buffer | null, ...rest) {
    if (chunk === null) {
      trace.marks.end = performance.now();
      if (maskTrailers(response, redactor)) trace.maskedHeaders = true;
      return push.call(this, null, ...rest);
    }
    bytes += chunk.length;
    if (bytes > maxBytes) {
      trace.tooLarge = 'transferred';
      trace.chunks.length = 0;
      response.destroy(new Error('answer above the size limit'));
      return false;
    }
    trace.chunks.push(chunk);
    return true;
  };
}
