import diagnostics from 'node:diagnostics_channel';
import type { ClientRequest, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { Redactor } from '../redaction/index.ts';
import { type ChainEnd, chainEndOf } from './certificate-chain.ts';
import type { SilentAddresses, Timestamps } from './phases.ts';
import { headOf, maskHead, maskTexts, maskTrailers, type ResponseHead } from './wire-head.ts';

/** Identifies a call on its way through the HTTP library; removed before it is sent. */
export const CALL_HEADER = 'x-sextant-call';

export interface WireCall {
  readonly id: string;
  /** The only origin that may get the credentials. */
  readonly origin: string;
  /** Header values in clear, which replace their masks. */
  readonly credentials: ReadonlyMap<string, string>;
  /** Headers to remove, because the library adds them unasked. */
  readonly unwanted: readonly string[];
  readonly maxBytes: number;
  readonly maxHeaderBytes: number;
  readonly redactor: Redactor;
  readonly proxy?: URL | undefined;
  /** Authorities to trust in addition to the usual ones; PEM. */
  readonly ca?: string | undefined;
}

export interface WireTrace {
  marks: { -readonly [K in keyof Timestamps]: Timestamps[K] };
  readonly chunks: Buffer[];
  contentEncoding?: string;
  head?: ResponseHead;
  certificates?: ChainEnd;
  /** A secret was masked in the status line, headers or trailers of the response or of an informational (1xx) one. */
  maskedHeaders?: true;
  /** The body exceeded the limit, as transferred or when decompressed. */
  tooLarge?: 'transferred' | 'decompressed' | 'parsed';
  /** The size of a body that takes too much to be searched for secrets, in bytes. */
  unsearched?: number;
  error?: NodeJS.ErrnoException;
  /** Whether a kept-open connection returned no byte at all; absent for a new one. */
  isUnanswered?: () => boolean;
  /** The status of a proxy that refused; the service was not asked. */
  refusedByProxy?: number;
  fault?: unknown;
  created?: boolean;
  serverAddress?: string;
  /** A body followed a response that can't have one. */
  hasStrayBody?: true;
  silentAddresses?: SilentAddresses;
}

const calls = new Map<string, { call: WireCall; trace: WireTrace }>();

/**
 * Observes a call at Node's HTTP client, below every transport. Credentials are added only here: a
 * library above sees only masks, so its errors, logs, steps and traces can't contain a secret.
 * `end` must be called when the call is done.
 */
export function watchWire(call: WireCall): { trace: WireTrace; end(): void } {
  const trace: WireTrace = { marks: { start: performance.now() }, chunks: [] };
  calls.set(call.id, { call, trace });
  return { trace, end: () => void calls.delete(call.id) };
}

/** A call under way, for a transport that looks at what it passes on. */
export function callUnderWay(id: string): { readonly call: WireCall; readonly trace: WireTrace } | undefined {
  return calls.get(id);
}

const MOST_INFORMATIONAL = 100;

diagnostics.subscribe('http.client.request.created', (message) => {
  const { request } = message as { request: ClientRequest };
  const id = request.getHeader(CALL_HEADER);
  const tracked = typeof id === 'string' ? calls.get(id) : undefined;
  if (tracked) guarded(tracked.trace, request, () => onCreated(request, tracked.call, tracked.trace));
});

/** An error in a listener would end the process; here it ends the call. */
function guarded(trace: WireTrace, request: ClientRequest, work: () => void): void {
  try {
    work();
  } catch (error) {
    trace.fault = error;
    request.destroy();
  }
}

function onCreated(request: ClientRequest, call: WireCall, trace: WireTrace): void {
  request.removeHeader(CALL_HEADER);
  for (const name of call.unwanted) request.removeHeader(name);
  // Node passes this limit to the parser together with the socket; Playwright has no option for the limit.
  Object.assign(request, { maxHeaderSize: call.maxHeaderBytes });
  if (`${request.protocol}//${request.getHeader('host')}` === call.origin) {
    for (const [name, value] of call.credentials) request.setHeader(name, value);
  }
  trace.created = true;
  trace.marks.start = performance.now();
  // Before the library, which would log what it sees.
  request.prependOnceListener('response', (response) =>
    guarded(trace, request, () => {
      onResponse(response, call, trace);
      if (isBodyless(response.statusCode)) keepForStrayBody(request, response, trace);
    }),
  );
  request.on('error', (error) => failed(trace, error));
  let informational = 0;
  request.on('information', ({ statusMessage, rawHeaders }) => {
    if (maskTexts([statusMessage, ...rawHeaders], call.redactor)) trace.maskedHeaders = true;
    // One or two are usual; a flood would block this process.
    if (++informational > MOST_INFORMATIONAL)
      request.destroy(coded('INFORMATIONAL_FLOOD', 'too many informational responses'));
  });
  request.on('upgrade', (_, socket) => {
    socket.destroy();
    // Node considers the request done and reports nothing more.
    request.emit('error', coded('UNASKED_UPGRADE', 'unrequested upgrade'));
  });
  request.on('socket', (socket) => onSocket(socket, request, call, trace));
}

function onSocket(socket: Socket, request: ClientRequest, call: WireCall, trace: WireTrace): void {
  const { marks } = trace;
  const located = () => {
    if (socket.remoteAddress) trace.serverAddress = `${socket.remoteAddress}:${socket.remotePort}`;
  };
  located();
  // A tunnel is ready when the request gets it.
  const isTunnel = call.proxy && !socket.connecting;
  if (isTunnel) {
    marks.connect = performance.now();
    if (isTls(socket)) marks.tls = marks.connect;
  } else if (request.reusedSocket) {
    marks.reused = performance.now();
    const earlier = socket.bytesRead;
    trace.isUnanswered = () => socket.bytesRead === earlier;
  }
  if (isTunnel || request.reusedSocket) {
    certified(socket, call, trace);
    return;
  }
  socket.once('lookup', (error) => {
    if (!error) marks.dns = performance.now();
  });
  let attemptAt = performance.now();
  socket.on('connectionAttempt', () => {
    attemptAt = performance.now();
  });
  socket.on('connectionAttemptTimeout', (address: string) => {
    const { addresses = [], ms = 0 } = trace.silentAddresses ?? {};
    trace.silentAddresses = { addresses: [...addresses, address], ms: ms + performance.now() - attemptAt };
  });
  socket.once('connect', () => {
    marks.connect = performance.now();
    located();
  });
  socket.once('secureConnect', () => {
    marks.tls = performance.now();
    certified(socket, call, trace);
  });
}

function coded(code: string, message: string): NodeJS.ErrnoException {
  return Object.assign(new Error(message), { code });
}

function failed(trace: WireTrace, error: Error): void {
  if (isBodyless(trace.head?.status) && isOfParser(error)) trace.hasStrayBody = true;
  // Ending a call on purpose raises errors too.
  if (!trace.fault && !trace.tooLarge) trace.error ??= error;
}

function onResponse(response: IncomingMessage, call: WireCall, trace: WireTrace): void {
  trace.marks.response = performance.now();
  // Only a proxy sends 407; the refusal of a tunnel is an error of the connection.
  if (call.proxy && response.statusCode === 407) {
    trace.refusedByProxy = response.statusCode;
    response.destroy(new Error('a proxy refused'));
    return;
  }
  if (maskHead(response, call.redactor)) trace.maskedHeaders = true;
  trace.head = headOf(response);
  const encoding = response.headers['content-encoding'];
  if (encoding) trace.contentEncoding = encoding;
  for (const name of KEPT_FROM_LIBRARY) delete response.headers[name];
  response.on('error', (error) => failed(trace, error));
  takeBody(response, call, trace);
}

/** After these statuses HTTP allows no body. */
const isBodyless = (status: number | undefined) => status === 204 || status === 304;

const isOfParser = ({ code }: NodeJS.ErrnoException) => code?.startsWith('HPE_') === true;

/** How long a connection stays open after a response without a body, in ms. */
const STRAY_BODY_MS = 1_000;

/**
 * A service may send a body all the same, perhaps a moment later. On a connection that is used again it would be read as the beginning of
 * the next response. So no other request gets this connection, and the bytes that still arrive belong to this call.
 */
function keepForStrayBody(request: ClientRequest, response: IncomingMessage, trace: WireTrace): void {
  const { socket } = request;
  if (!socket) return;
  // The agent never learns that the connection is free.
  socket.removeAllListeners('free');
  response.on('end', () => {
    socket.once('data', () => {
      trace.hasStrayBody = true;
      socket.destroy();
    });
    setTimeout(() => socket.destroy(), STRAY_BODY_MS).unref();
  });
}

/**
 * Without the first, Playwright passes the body on unchanged; otherwise it would inflate a bomb without a limit. Cookies of one response
 * must not affect the next call.
 */
const KEPT_FROM_LIBRARY: readonly string[] = ['content-encoding', 'set-cookie'];

/** Cached, because Node formats all certificates on every access. */
const chainEnds = new WeakMap<TLSSocket, ChainEnd>();

/** Not by its class, with which TLS would be loaded where nobody speaks it. */
const isTls = (socket: Socket): socket is TLSSocket => 'encrypted' in socket;

function certified(socket: Socket, { origin, ca, redactor }: WireCall, trace: WireTrace): void {
  if (!isTls(socket)) return;
  const end = chainEnds.get(socket) ?? chainEndOf(socket, origin, ca);
  if (!end) return;
  chainEnds.set(socket, end);
  trace.certificates = end.authority === undefined ? end : { ...end, authority: redactor.text(end.authority) };
}

/** Consumes the body up to the limit: the library, which would keep a copy, sees an empty one. */
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
      response.destroy(new Error('response above the size limit'));
      return false;
    }
    trace.chunks.push(chunk);
    return true;
  };
}
