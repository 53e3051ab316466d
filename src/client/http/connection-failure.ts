import { isIP } from 'node:net';
import { type Phase, phaseReached } from './phases.ts';
import type { WireTrace } from './wire.ts';

export interface ConnectionFailure {
  readonly phase: Phase;
  /** service: a problem of the service, as far as visible from here · ours: the suite could not judge. */
  readonly side: 'service' | 'ours';
  /** A code of Node or OpenSSL, or one of our own: DEADLINE, ABORTED, TOO_LARGE, CLOSED, NOT_SENT, SUITE_FAULT
   * and the like. */
  readonly code: string;
  /** One line, without a secret. */
  readonly reason: string;
}

/** Problems of the machine that runs the suite: no name server, handles, memory, route or permission. */
const oursByCode: Readonly<Record<string, string>> = {
  EAI_AGAIN: 'no name server responds on this machine',
  EMFILE: 'this process is out of file handles',
  ENFILE: 'this machine is out of file handles',
  ENOMEM: 'this machine is out of memory',
  ENOBUFS: 'this machine is out of network buffers',
  EADDRNOTAVAIL: 'this machine has no free local port or address',
  ENETUNREACH: 'this machine has no route to that network',
  ENETDOWN: "this machine's network is down",
  EACCES: 'this machine forbids the connection',
  EPERM: 'this machine forbids the connection',
};

const known: Readonly<Record<string, string>> = {
  ENOTFOUND: 'the name does not exist',
  ECONNREFUSED: 'connection refused',
  EHOSTUNREACH: 'no route to the host',
  EPIPE: 'connection closed while sending',
  ETIMEDOUT: 'connecting timed out',
  HPE_HEADER_OVERFLOW: 'the headers are larger than 16 kB',
  INFORMATIONAL_FLOOD: 'an endless series of informational (1xx) responses',
  UNASKED_UPGRADE: 'an unrequested switch to another protocol',
  EPROTO: 'the server does not speak valid TLS',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'the certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'a certificate of the chain is self-signed',
  CERT_HAS_EXPIRED: 'the certificate has expired',
  CERT_NOT_YET_VALID: 'the certificate is not valid yet',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'the certificate was signed by an unknown authority',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'the certificate was signed by an unknown authority',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate is for another host',
};

/** The HTTP library reports a deadline like an abort; the caller knows which it was. */
export interface FailureContext {
  readonly url: URL;
  readonly proxy?: URL | undefined;
  /** What is connected to: the address's own host, its pin or its proxy. */
  readonly host: string;
  readonly deadlineMs: number;
  readonly maxBytes: number;
  readonly deadlineReached: boolean;
  readonly aborted: boolean;
  /** The HTTP library's error; only its name is ever shown. */
  readonly thrown: unknown;
}

/** Derives a failure from the wire trace; the library's message is never used, because it contains every header. */
export function connectionFailureOf(trace: WireTrace, context: FailureContext): ConnectionFailure {
  const { url, host, deadlineMs, maxBytes } = context;
  const address = { named: isIP(host) === 0, secure: url.protocol === 'https:' };
  const phase = phaseReached(trace.marks, address);
  if (trace.tooLarge) {
    const when = trace.tooLarge === 'transferred' ? '' : ` when ${trace.tooLarge}`;
    const reason = `the response is larger than ${Number((maxBytes / 1_000_000).toFixed(2))} MB${when}`;
    return { phase: 'transfer', side: 'ours', code: 'TOO_LARGE', reason };
  }
  if (context.aborted) return { phase, side: 'ours', code: 'ABORTED', reason: 'the run was stopped' };
  if (context.deadlineReached) {
    const reason = `no complete response within ${deadlineMs} ms (${waitedFor[phase]})`;
    return { phase, side: 'service', code: 'DEADLINE', reason };
  }
  const ofProxy = proxyFailure(trace, phase, context);
  if (ofProxy) return ofProxy;
  // Only a failure seen on the wire can count against the service.
  if (!trace.error) return suiteFault(trace, phase, context.thrown);
  const error = ofService(trace.error);
  const code = error.code ?? 'CLOSED';
  const ours = oursByCode[code];
  if (ours) return { phase, side: 'ours', code, reason: ours };
  const isEnd = code === 'CLOSED' || code === 'ECONNRESET';
  const reason = isEnd ? ended(error, phase) : (known[code] ?? protocolReason(code) ?? code);
  return { phase, side: 'service', code, reason };
}

/** Where each address of a host has an error of its own, the first that isn't this machine's: without IPv6, that is the other's. */
function ofService(error: NodeJS.ErrnoException): NodeJS.ErrnoException {
  const all: readonly NodeJS.ErrnoException[] = error instanceof AggregateError ? error.errors : [];
  return all.find(({ code = '' }) => !(code in oursByCode)) ?? error;
}

/** What kept a call from leaving its proxy: nothing is known of the service then. */
function proxyFailure(
  { refusedByProxy, error, marks }: WireTrace,
  phase: Phase,
  { proxy, url }: FailureContext,
): ConnectionFailure | undefined {
  if (!proxy) return undefined;
  const isConnected = marks.connect !== undefined || marks.reused !== undefined;
  const isTunnel = error?.code === 'ERR_PROXY_TUNNEL';
  // The proxy's, where it answered in place of the service.
  const status = refusedByProxy ?? (isTunnel ? (error as { readonly statusCode?: number }).statusCode : undefined);
  const of = (code: string, what: string) =>
    ({ phase, side: 'ours', code, reason: `the proxy ${proxy.origin} ${what}` }) as const;
  if (status === 407) return of('PROXY_AUTH', 'asks for authentication: PROXY_USERNAME, PROXY_PASSWORD');
  if (status !== undefined) return of('PROXY_REFUSED', `refused to connect to ${url.host} (${status})`);
  if (isTunnel) return of('PROXY_REFUSED', `did not connect to ${url.host}`);
  return error && !isConnected ? of('PROXY_UNREACHABLE', `can't be reached (${error.code ?? 'closed'})`) : undefined;
}

function suiteFault(trace: WireTrace, phase: Phase, thrown: unknown): ConnectionFailure {
  const error = trace.fault ?? thrown;
  const name = error instanceof Error ? ((error as NodeJS.ErrnoException).code ?? error.name) : typeof error;
  const [code, what] = trace.created ? ['SUITE_FAULT', 'could not be followed'] : ['NOT_SENT', 'was not sent'];
  return { phase, side: 'ours', code, reason: `the request ${what}: a bug in the suite (${name})` };
}

/** Node reports "socket hang up" or "aborted" for a closed connection, and a system call's name for a reset. */
function ended({ syscall }: NodeJS.ErrnoException, phase: Phase): string {
  const how = syscall ? 'connection reset' : 'connection closed';
  return phase === 'transfer' ? `${how} before the response was complete` : `${how} without a response`;
}

const waitedFor: Readonly<Record<Phase, string>> = {
  dns: 'still resolving the name',
  connect: 'still connecting',
  tls: 'still in the TLS handshake',
  processing: 'connected, but no response',
  transfer: 'the response began, but did not end',
};

function protocolReason(code: string): string | undefined {
  if (code.startsWith('HPE_')) return `the response is not valid HTTP (${code})`;
  return code.startsWith('ERR_SSL_') ? `the server does not speak valid TLS (${code})` : undefined;
}
