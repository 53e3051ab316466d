import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connectionFailureOf, type FailureContext } from './connection-failure.ts';
import { type Phases, phasesOf, type Timestamps } from './phases.ts';
import { connectedHost, type Route } from './route.ts';
import type { WireTrace } from './wire.ts';

const context: FailureContext = {
  url: new URL('https://friends.example/v1/friends/block'),
  host: 'friends.example',
  deadlineMs: 400,
  maxBytes: 5_000_000,
  maxHeaderBytes: 65_536,
  deadlineReached: false,
  aborted: false,
  thrown: new Error('apiRequestContext.fetch: Authorization: bearer canary'),
};

const start = { start: 0 };
const looked = { start: 0, dns: 1 };
const connected = { ...looked, connect: 2 };
const secured = { ...connected, tls: 3 };
const answered = { ...secured, response: 4 };
const error = (code: string, rest: object = {}) => Object.assign(new Error('bearer canary'), { code, ...rest });

type Seen = Partial<WireTrace> & { readonly context?: Partial<FailureContext> };
const atDeadline = { context: { deadlineReached: true } };
/** A failed call to an IP address, without TLS. */
const plain = { context: { url: new URL('http://127.0.0.1/v1'), host: '127.0.0.1' }, error: error('ECONNREFUSED') };
/** An error with the text of OpenSSL, as Node passes it on. OpenSSL numbers alerts from 1000. */
const alert = (number: number, code: string) => {
  const packed = (20 * 2 ** 23 + 1_000 + number).toString(16).toUpperCase().padStart(8, '0');
  return { error: Object.assign(new Error(`write EPROTO 00A3:error:${packed}:SSL routines::canary`), { code }) };
};
/** An error of OpenSSL about the handshake or about a certificate, as Node passes it on. */
const complaint = (text: string) => ({
  error: error('EPROTO', { message: `write EPROTO 00:error:0A000152:SSL routines:f:${text}:../canary.c:897:\n` }),
});
const unspecified = (message: string) => ({ error: error('UNSPECIFIED', { message }) });
const reset = { error: error('ECONNRESET', { syscall: 'read' }) };
const stopped = { context: { aborted: true }, error: error('ECONNRESET') };
/** Node's error after it tried several addresses of a host. Its code is that of the first address. */
const addresses = (first: string, second: string) => ({
  error: Object.assign(new AggregateError([error(first), error(second)]), { code: first }),
});
const typeError = { context: { thrown: new TypeError('canary') } };

/** Each row: the events of the call so far, its error (or more of its trace), and the expected failure as `phase side code: reason`. */
const rows: readonly (readonly [marks: WireTrace['marks'], seen: Seen | string, expected: RegExp])[] = [
  [start, 'ENOTFOUND', /^dns service ENOTFOUND: the name does not exist/],
  [start, 'EAI_AGAIN', /^dns ours EAI_AGAIN: no name server responds/],
  [looked, 'EMFILE', /^connect ours EMFILE: .*out of file handles/],
  [looked, 'ENETUNREACH', /^connect ours ENETUNREACH: .*no route/],
  [looked, addresses('ENETUNREACH', 'ECONNREFUSED'), /^connect service ECONNREFUSED: connection refused/],
  [looked, addresses('ENETUNREACH', 'ENETUNREACH'), /^connect ours ENETUNREACH: .*no route/],
  [looked, 'ECONNREFUSED', /^connect service ECONNREFUSED: connection refused/],
  [connected, 'CERT_HAS_EXPIRED', /^tls service CERT_HAS_EXPIRED: .*has expired/],
  [connected, 'ERR_SSL_NO_CIPHER', /^tls service ERR_SSL_NO_CIPHER: TLS failed \(OpenSSL: no cipher\)$/],
  [
    connected,
    complaint('wrong version number'),
    /^tls service ERR_SSL_WRONG_VERSION_NUMBER: .*does not speak TLS there$/,
  ],
  [
    connected,
    complaint('unsafe legacy renegotiation disabled'),
    /^tls service ERR_SSL_UNSAFE_LEGACY_RENEGOTIATION_DISABLED: .*RFC 5746/,
  ],
  [
    connected,
    complaint('data length too long'),
    /^tls service ERR_SSL_DATA_LENGTH_TOO_LONG: .*\(OpenSSL: data length too long\)$/,
  ],
  [
    connected,
    unspecified('EE certificate key too weak'),
    /^tls service ERR_SSL_EE_CERTIFICATE_KEY_TOO_WEAK: .*too short/,
  ],
  [connected, unspecified('CA signature digest algorithm too weak'), /^tls service ERR_SSL_CA_SIG\w+: .*SHA-1$/],
  [connected, 'INVALID_PURPOSE', /^tls service INVALID_PURPOSE: .*isn’t made for servers/],
  [connected, 'PATH_LENGTH_EXCEEDED', /^tls service PATH_LENGTH_EXCEEDED: .*\(OpenSSL: path length exceeded\)$/],
  [secured, reset, /^processing service ECONNRESET: .*reset without a resp/],
  [answered, 'ECONNRESET', /^transfer service ECONNRESET: .*closed before the response was complete/],
  [secured, 'HPE_INVALID_VERSION', /^processing service HPE_INVALID_VERSION: .*not valid HTTP/],
  [secured, 'HPE_CR_EXPECTED', /^processing service HPE_CR_EXPECTED: .*a line ends in LF alone/],
  [
    secured,
    'HPE_HEADER_OVERFLOW',
    /^processing ours HEADERS_TOO_LARGE: .*larger than 65536 bytes \(MAX_HEADER_BYTES\)/,
  ],
  [connected, alert(40, 'EPROTO'), /^tls service TLS_ALERT_40: .*client certificate, or shares no cipher/],
  [connected, alert(70, 'EPROTO'), /^tls service TLS_ALERT_70: .*older than 1\.2/],
  [secured, alert(116, 'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED'), /^tls service TLS_ALERT_116: .*asks for a client/],
  [connected, alert(90, 'EPROTO'), /^tls service TLS_ALERT_90: .*\(alert 90\)$/],
  [connected, 'EPROTO', /^tls service EPROTO: TLS failed$/],
  [
    looked,
    { ...atDeadline, silentAddresses: { addresses: ['fd00::dead'], ms: 200 } },
    /^connect service DEADLINE: .*within 400 ms \(still connecting; 200 ms of it for fd00::dead, without a response\)/,
  ],
  [secured, 'ESOMETHING', /^processing service ESOMETHING: ESOMETHING$/],
  [start, plain, /^connect service ECONNREFUSED/],
  [connected, plain, /^processing service ECONNREFUSED/],
  [{ start: 0, reused: 1 }, 'ECONNRESET', /^processing service ECONNRESET: .*closed without a response/],
  [start, atDeadline, /^dns service DEADLINE: .*within 400 ms \(still resolving/],
  [connected, { ...atDeadline, error: error('ECONNRESET') }, /^tls service DEADLINE: .*still in the TLS handshake/],
  [secured, stopped, /^processing ours ABORTED: the run was stopped/],
  [answered, { tooLarge: 'transferred' }, /^transfer ours TOO_LARGE: .*larger than 5 MB$/],
  [answered, { tooLarge: 'parsed' }, /^transfer ours TOO_LARGE: .*larger than 5 MB when parsed/],
  [answered, { tooLarge: 'decompressed' }, /^transfer ours TOO_LARGE: .*larger than 5 MB when decompressed/],
  [
    answered,
    { unsearched: 12 },
    /^transfer ours NOT_SEARCHED: the body \(12 bytes, no content type\) takes too long to search/,
  ],
  [answered, typeError, /^transfer ours SUITE_FAULT: .*not be followed: a bug in the suite \(TypeError\)/],
  [secured, { fault: new RangeError('canary') }, /^processing ours SUITE_FAULT: .*\(RangeError\)/],
  [start, { ...typeError, created: false }, /^dns ours NOT_SENT: .*was not sent: a bug in the suite \(TypeError\)/],
];

for (const [marks, seen, expected] of rows)
  test(`${typeof seen === 'string' ? seen : Object.keys(seen)} after ${Object.keys(marks).at(-1)}: ${expected}`, () => {
    const { context: changes, ...rest }: Seen = typeof seen === 'string' ? { error: error(seen) } : seen;
    const trace: WireTrace = { created: true, chunks: [], marks, ...rest };
    const { phase, side, code, reason } = connectionFailureOf(trace, { ...context, ...changes });
    assert.match(`${phase} ${side} ${code}: ${reason}`, expected);
    assert.doesNotMatch(reason, /canary/);
  });

test('a host is the one that is connected to: its pin, or its proxy', () => {
  const pins = [{ from: { host: 'friends.example', port: '443' }, to: { host: '10.0.0.1' } }];
  const direct: Route = { pins, proxyFor: () => undefined, tls: {} };
  const proxied: Route = { ...direct, proxyFor: () => ({ url: new URL('http://[::1]:3128') }) };
  const hosts = [undefined, direct, proxied].map((route) => connectedHost(context.url, route));
  assert.deepEqual(hosts, ['friends.example', '10.0.0.1', '::1']);
  assert.equal(connectedHost(new URL('http://friends.example/v1'), direct), 'friends.example');
});

const unfinished: readonly (readonly [name: string, marks: Timestamps, expected: Phases])[] = [
  [
    'a first call over TLS',
    { start: 0, dns: 3, connect: 5, tls: 9, response: 20, end: 21 },
    { dns: 3, connect: 2, tls: 4, processing: 11, transfer: 1 },
  ],
  [
    'a first call to an address',
    { start: 0, connect: 5, response: 9, end: 9 },
    { connect: 5, processing: 4, transfer: 0 },
  ],
  ['a call on a reused socket', { start: 0, reused: 1, response: 20, end: 21 }, { processing: 19, transfer: 1 }],
  ['a call that was never answered', { start: 0, dns: 3, connect: 5 }, { dns: 3, connect: 2 }],
  ['a call that reached nothing', { start: 0 }, {}],
];

for (const [name, marks, expected] of unfinished)
  test(`phases of ${name}: what did not happen is absent`, () => assert.deepEqual(phasesOf(marks), expected));
