import { isIP } from 'node:net';
import { type Phase, phaseReached } from './phases.ts';
import type { WireTrace } from './wire.ts';

export interface ConnectionFailure {
  readonly phase: Phase;
  /** service: a problem of the service, as far as visible from here · ours: the suite could not judge. */
  readonly side: 'service' | 'ours';
  /** A code of Node or OpenSSL, or one of our own: DEADLINE, ABORTED, TOO_LARGE, NOT_SEARCHED, CLOSED, NOT_SENT, SUITE_FAULT
   * and the like. */
  readonly code: string;
  /** One line, without a secret. */
  readonly reason: string;
}

/** The phases before a request is sent. A failure in one of them is a problem of the host, so it doesn't depend on the operation. */
export const hostPhases: readonly string[] = ['dns', 'connect', 'tls'] satisfies readonly Phase[];

/** Whether a call failed before its connection was ready, so that the service saw no request. */
export function isUnconnected({ failure }: { readonly failure?: { readonly phase: string } | undefined }): boolean {
  return failure !== undefined && hostPhases.includes(failure.phase);
}

/** Problems of the machine that runs the suite, by error code. */
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

const reasonsByCode: Readonly<Record<string, string>> = {
  ENOTFOUND: 'the name does not exist',
  ECONNREFUSED: 'connection refused',
  EHOSTUNREACH: 'no route to the host',
  EPIPE: 'connection closed while sending',
  ETIMEDOUT: 'connecting timed out',
  INFORMATIONAL_FLOOD: 'an endless series of informational (1xx) responses',
  UNASKED_UPGRADE: 'an unrequested switch to another protocol',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'the certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'a certificate of the chain is self-signed',
  CERT_HAS_EXPIRED: 'the certificate has expired',
  CERT_NOT_YET_VALID: 'the certificate is not valid yet',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    'the certificate can’t be traced to a trusted authority: the server doesn’t send its intermediate certificate, or the authority isn’t trusted here',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'the certificate was signed by an unknown authority',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate is for another host',
  INVALID_PURPOSE: 'the certificate, or its authority’s, isn’t made for servers (key usage)',
  ERR_SSL_EE_CERTIFICATE_KEY_TOO_WEAK: 'the key of the certificate is too short to be safe',
  ERR_SSL_CA_CERTIFICATE_KEY_TOO_WEAK: 'the key of the certificate’s authority is too short to be safe',
  ERR_SSL_CA_SIGNATURE_DIGEST_ALGORITHM_TOO_WEAK: 'the certificate is signed with an outdated hash, such as SHA-1',
  ERR_SSL_DH_KEY_TOO_SMALL: 'the server’s Diffie-Hellman key is too short to be safe',
  ERR_SSL_UNSAFE_LEGACY_RENEGOTIATION_DISABLED: 'the server speaks an old TLS without secure renegotiation (RFC 5746)',
  ERR_SSL_UNSUPPORTED_PROTOCOL: 'the server speaks only TLS versions older than 1.2',
  ERR_SSL_WRONG_VERSION_NUMBER: 'the server does not speak TLS there',
};

/** The error codes that are described in words. */
export const connectionCodes: readonly string[] = [...Object.keys(reasonsByCode), ...Object.keys(oursByCode)];

/** Describes an error code of Node or OpenSSL in words. */
export function reasonOfCode(code: string): string | undefined {
  return reasonsByCode[code] ?? oursByCode[code] ?? protocolReason(code);
}

/**
 * The caller's knowledge about a failed call. The HTTP library reports a deadline and an abort in the same way, so `deadlineReached` and
 * `aborted` tell which of them ended the call.
 */
export interface FailureContext {
  readonly url: URL;
  readonly proxy?: URL | undefined;
  /** The host that the call connects to: the proxy, the pinned host, or the host in `url`. */
  readonly host: string;
  readonly deadlineMs: number;
  readonly maxBytes: number;
  readonly maxHeaderBytes: number;
  readonly deadlineReached: boolean;
  readonly aborted: boolean;
  /** The HTTP library's error; only its code or name is ever shown. */
  readonly thrown: unknown;
}

/** Derives a failure from the wire trace. The HTTP library's message is never used, because it contains every header. */
export function connectionFailureOf(trace: WireTrace, context: FailureContext): ConnectionFailure {
  const { url, host, deadlineMs, maxBytes } = context;
  const address = { named: isIP(host) === 0, secure: url.protocol === 'https:' };
  const phase = phaseReached(trace.marks, address);
  if (trace.tooLarge) {
    const when = trace.tooLarge === 'transferred' ? '' : ` when ${trace.tooLarge}`;
    const reason = `the response is larger than ${Number((maxBytes / 1_000_000).toFixed(2))} MB${when}`;
    return { phase: 'transfer', side: 'ours', code: 'TOO_LARGE', reason };
  }
  if (trace.unsearched !== undefined) {
    const type = trace.head?.headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? 'no content type';
    const reason = `the body (${trace.unsearched} bytes, ${type}) takes too long to search for secrets, so it is neither read nor shown`;
    return { phase: 'transfer', side: 'ours', code: 'NOT_SEARCHED', reason };
  }
  if (context.aborted) return { phase, side: 'ours', code: 'ABORTED', reason: 'the run was stopped' };
  if (context.deadlineReached) {
    const { addresses = [], ms = 0 } = trace.silentAddresses ?? {};
    const of =
      addresses.length > 0 ? `; ${Math.round(ms)} ms of it for ${addresses.join(', ')}, without a response` : '';
    const reason = `no complete response within ${deadlineMs} ms (${waitedFor[phase]}${of})`;
    return { phase, side: 'service', code: 'DEADLINE', reason };
  }
  const ofProxy = proxyFailure(trace, phase, context);
  if (ofProxy) return ofProxy;
  // If the wire shows no error, the suite itself is to blame, and not the service.
  if (!trace.error) return suiteFault(trace, phase, context.thrown);
  const error = ofService(trace.error);
  const code = codeOf(error);
  const ours = oursByCode[code];
  if (ours) return { phase, side: 'ours', code, reason: ours };
  if (code === 'HPE_HEADER_OVERFLOW') {
    const reason = `the response's headers are larger than ${context.maxHeaderBytes} bytes (MAX_HEADER_BYTES)`;
    return { phase, side: 'ours', code: 'HEADERS_TOO_LARGE', reason };
  }
  const alert = tlsAlert(error);
  // With TLS 1.3, the alert about a client certificate comes after the client's own handshake, but it still belongs to the TLS phase.
  if (alert !== undefined)
    return { phase: 'tls', side: 'service', code: `TLS_ALERT_${alert}`, reason: alertReason(alert) };
  const isEnd = code === 'CLOSED' || code === 'ECONNRESET';
  const reason = isEnd ? ended(error, phase) : (reasonsByCode[code] ?? protocolReason(code) ?? code);
  return { phase, side: 'service', code, reason };
}

/**
 * Node reports several errors if it tried several IP addresses of a host. Returns the first error that this machine didn't cause. On a
 * machine without IPv6, that is the error of the IPv4 address.
 */
function ofService(error: NodeJS.ErrnoException): NodeJS.ErrnoException {
  const all: readonly NodeJS.ErrnoException[] = error instanceof AggregateError ? error.errors : [];
  return all.find(({ code = '' }) => !(code in oursByCode)) ?? error;
}

/**
 * Derives a code from OpenSSL's text, because Node uses one code for many of OpenSSL's errors. That text contains nothing that the other side sent.
 */
function codeOf({ code = 'CLOSED', message }: NodeJS.ErrnoException): string {
  const ofLibrary = code === 'EPROTO' ? /\berror:[\da-f]{8}:SSL routines:[^:]*:([^:]+)/i.exec(message)?.[1] : undefined;
  const text = code === 'UNSPECIFIED' ? message : ofLibrary;
  return text ? `ERR_SSL_${text.toUpperCase().replaceAll(/\W+/g, '_')}` : code;
}

/** The failure, if it happened between this machine and its proxy. Such a failure says nothing about the service. */
function proxyFailure(
  { refusedByProxy, error, marks }: WireTrace,
  phase: Phase,
  { proxy, url }: FailureContext,
): ConnectionFailure | undefined {
  if (!proxy) return undefined;
  const isConnected = marks.connect !== undefined || marks.reused !== undefined;
  const isTunnel = error?.code === 'ERR_PROXY_TUNNEL';
  // The status of the proxy, if the proxy responded instead of the service.
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

/** Node sets `syscall` for a reset connection. For a closed connection, it reports only "socket hang up" or "aborted". */
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

/** Defects of a response, by the code of Node's HTTP parser. */
const httpFaults: Readonly<Record<string, string>> = {
  HPE_UNEXPECTED_CONTENT_LENGTH: 'it has more than one Content-Length',
  HPE_INVALID_CONTENT_LENGTH: 'its Content-Length is not one number',
  HPE_INVALID_TRANSFER_ENCODING: 'it has both Content-Length and Transfer-Encoding',
  HPE_INVALID_CHUNK_SIZE: 'the size of a chunk is not a number',
  HPE_INVALID_HEADER_TOKEN: 'a header has a forbidden character, or continues on the next line (folding is obsolete)',
  HPE_CR_EXPECTED: 'a line ends in LF alone instead of CR LF',
  HPE_LF_EXPECTED: 'a line ends in CR alone instead of CR LF',
  HPE_INVALID_STATUS: 'its status is not a number of three digits',
  HPE_INVALID_VERSION: 'its HTTP version is unknown',
};

function protocolReason(code: string): string | undefined {
  if (code.startsWith('HPE_')) {
    const fault = httpFaults[code] ?? (code === 'HPE_INVALID_CONSTANT' ? 'bytes where a response should begin' : code);
    return `the response is not valid HTTP: ${fault}`;
  }
  if (ofOpenssl.test(code)) {
    return `TLS failed (OpenSSL: ${code.replace('ERR_SSL_', '').toLowerCase().replaceAll('_', ' ')})`;
  }
  return code === 'EPROTO' ? 'TLS failed' : undefined;
}

/** Matches codes that derive from OpenSSL's own texts: errors of TLS, or of a certificate that isn't accepted. */
const ofOpenssl = /^(ERR_SSL|CERT|CRL|UNABLE|INVALID|PATH|ERROR_IN|HOSTNAME)_/;

/** OpenSSL's reason code for an alert of the other side is this number plus the number of the alert. */
const FIRST_ALERT = 1_000;
const SSL_LIBRARY = 20;

/** The alert with which a server ended TLS, from the number in OpenSSL's text. Node reports most alerts as EPROTO. */
function tlsAlert({ message }: Error): number | undefined {
  const packed = Number.parseInt(/\berror:([\da-f]{8}):/i.exec(message)?.[1] ?? '', 16);
  const reason = packed % 2 ** 23;
  return packed >>> 23 === SSL_LIBRARY && reason > FIRST_ALERT && reason < FIRST_ALERT + 256
    ? reason - FIRST_ALERT
    : undefined;
}

/** TLS alerts (RFC 8446, part 6.2) that have one or two meanings. Other alerts are too vague to explain. */
const alerts: Readonly<Record<number, string>> = {
  40: 'it asks for a client certificate, or shares no cipher with Sextant',
  42: 'it can’t use the client certificate',
  43: 'it doesn’t accept this kind of client certificate',
  44: 'the client certificate is revoked',
  45: 'the client certificate has expired',
  46: 'it doesn’t accept the client certificate',
  48: 'it doesn’t know the authority of the client certificate',
  49: 'it grants this client certificate no access',
  70: 'it speaks only TLS versions older than 1.2',
  71: 'it finds the ciphers that are offered too weak',
  112: 'it doesn’t know the host name',
  116: 'it asks for a client certificate',
};

function alertReason(alert: number): string {
  return `the server refused the TLS handshake (alert ${alert})${alerts[alert] ? `: ${alerts[alert]}` : ''}`;
}
