import diagnostics from 'node:diagnostics_channel';
import type { ClientRequest, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { Redactor } from '../redaction/index.ts';
import { type ChainEnd, chainEndOf } from './certificate-chain.ts';
import type { SilentAddresses, Timestamps } from './phases.ts';
import { headOf, maskHead, maskTexts, maskTrailers, type ResponseHead } from './wire-head.ts';

/** The header that identifies a call on its way through the HTTP library. It is removed before the request is sent. */
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
  /** True if a secret was masked in the status line, headers or trailers of the response, or of an informational (1xx) response. */
  maskedHeaders?: true;
  /** The body exceeded the limit: as transferred, when decompressed, or in its number of JSON values. */
  tooLarge?: 'transferred' | 'decompressed' | 'parsed';
  /** The size in bytes of a body that takes too much work to search for secrets. */
  unsearched?: number;
  error?: NodeJS.ErrnoException;
  /** Whether a kept-open connection has returned no byte at all for this call; absent for a new connection. */
  isUnanswered?: () => boolean;
  /** The status with which a proxy refused the request. The service didn't get the request. */
  refusedByProxy?: number;
  fault?: unknown;
  created?: boolean;
  serverAddress?: string;
  /** True if a body followed although the status of the response allows none. */
  hasStrayBody?: true;
  silentAddresses?: SilentAddresses;
}

const calls = new Map<string, { call: WireCall; trace: WireTrace }>();

/**
 * Observes a call at Node's HTTP client, below every transport. Credentials are added only here: a library above this level sees only
 * masks, so its errors, logs, steps and traces can't contain a secret. `end` must be called when the call is done.
 */
export function watchWire(call: WireCall): { trace: WireTrace; end(): void } {
  const trace: WireTrace = { marks: { start: performance.now() }, chunks: [] };
  calls.set(call.id, { call, trace });
  return { trace, end: () => void calls.delete(call.id) };
}

/** A call under way, for a transport that makes or inspects responses itself (the drill). */
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

/** Runs a listener. An error that it throws ends only this call, and not the process. */
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
  // Node passes this limit to its parser when the request gets a socket, so it can still be set here. Playwright has no option for it.
  Object.assign(request, { maxHeaderSize: call.maxHeaderBytes });
  if (`${request.protocol}//${request.getHeader('host')}` === call.origin) {
    for (const [name, value] of call.credentials) request.setHeader(name, value);
  }
  trace.created = true;
  trace.marks.start = performance.now();
  // Registered before the library's own listener, so that secrets are masked before the library can log the response.
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
    // A service usually sends one or two informational responses. An endless series of them would block this process.
    if (++informational > MOST_INFORMATIONAL)
      request.destroy(coded('INFORMATIONAL_FLOOD', 'too many informational responses'));
  });
  request.on('upgrade', (_, socket) => {
    socket.destroy();
    // Node considers the request done after an upgrade and reports nothing more, so this error ends the call.
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
  // A tunnel through a proxy is already connected when the request gets it.
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
  // If Sextant itself ended the call, the error that follows says nothing about the service.
  if (!trace.fault && !trace.tooLarge) trace.error ??= error;
}

function onResponse(response: IncomingMessage, call: WireCall, trace: WireTrace): void {
  trace.marks.response = performance.now();
  // Only a proxy sends 407. If it refuses a tunnel, there is no response, but an error of the connection.
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

/** True for statuses with which HTTP allows no body. */
const isBodyless = (status: number | undefined) => status === 204 || status === 304;

const isOfParser = ({ code }: NodeJS.ErrnoException) => code?.startsWith('HPE_') === true;

/** How long a connection stays open after a response without a body, in ms, because a stray body may follow. */
const STRAY_BODY_MS = 1_000;

/**
 * Reserves the connection for this call, because a service may send a body although the status allows none, perhaps a moment later. If another
 * request used the connection, that body would look like the beginning of the next response.
 */
function keepForStrayBody(request: ClientRequest, response: IncomingMessage, trace: WireTrace): void {
  const { socket } = request;
  if (!socket) return;
  // Removes the agent's listener, which would give the connection to the next request as soon as this response has ended.
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
 * Response headers that the library doesn't see. Without `content-encoding`, Playwright passes the body on unchanged; otherwise it would inflate a
 * zip bomb without a limit. Without `set-cookie`, cookies of one response can't affect the next call.
 */
const KEPT_FROM_LIBRARY: readonly string[] = ['content-encoding', 'set-cookie'];

/** Expiries of certificate chains, cached because Node formats all certificates on every access. */
const chainEnds = new WeakMap<TLSSocket, ChainEnd>();

/** Checks a property instead of the class `TLSSocket`, because using the class would load TLS even in processes that don't need it. */
const isTls = (socket: Socket): socket is TLSSocket => 'encrypted' in socket;

function certified(socket: Socket, { origin, ca, redactor }: WireCall, trace: WireTrace): void {
  if (!isTls(socket)) return;
  const end = chainEnds.get(socket) ?? chainEndOf(socket, origin, ca);
  if (!end) return;
  chainEnds.set(socket, end);
  trace.certificates = end.authority === undefined ? end : { ...end, authority: redactor.text(end.authority) };
}

/** Consumes the body up to the limit. Passes an empty body on to the library, which would otherwise keep a second copy. */
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
