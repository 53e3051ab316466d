import type { TlsOptions } from 'node:tls';
import { deflateRawSync, gzipSync, zstdCompressSync } from 'node:zlib';
import type { Phase, Verdict } from '../../client/index.ts';
import { certificateFor, type KeyAndCertificate } from './certificate.ts';
import { type Behaviour, bomb, flood, rawResponse, respondingWith, trickle } from './raw-server.ts';

/** The deadline of a call that only it ends: as short as a busy machine lets a request still be sent in. */
export const SILENCE_MS = 3_000;

/** One misbehaviour of a service, with the expected verdict. */
export interface Misbehaviour extends Behaviour {
  readonly name: string;
  readonly verdict: Verdict;
  /** The phase in which the call failed; absent if there was a response. */
  readonly phase?: Phase;
  /** Only a deadline ends the call. */
  readonly waits?: true;
  /** Part of the reason of every scenario with this verdict. */
  readonly reason: RegExp;
  /** Only these scenarios are checked; others may have another verdict, or cost more than they show. */
  readonly titles?: readonly string[];
}

const status = (line: string, headers: Readonly<Record<string, string>> = {}) =>
  respondingWith(() => rawResponse(line, '{"error":"so it is"}', headers));
const json = (body: string | Buffer, headers: Readonly<Record<string, string>> = {}) =>
  respondingWith(() => rawResponse('200 OK', body, headers));

const gzip = { 'content-encoding': 'gzip' };
const chunk64k = Buffer.alloc(65_536, 0x20);
const opening = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n';
/** The scenarios whose first call must return a body. */
const reads = ['read-only round', 'evaluate a flag that exists', 'get friend profile, as configured'];
const failed = (reason: RegExp) => ({ verdict: 'failed', reason }) as const;
const refused = (reason: RegExp) => ({ verdict: 'refused', reason }) as const;
const notJson = failed(/the body is not valid JSON/);
const tooLarge = (reason: RegExp) => ({ verdict: 'unknown', phase: 'transfer', titles: reads, reason }) as const;
const unreachable = (phase: Phase, reason: RegExp) => ({ verdict: 'unreachable', phase, reason }) as const;
const unanswered = unreachable('processing', /closed without a response/);
const noHttp = unreachable('processing', /not valid HTTP/);
const silent = (phase: Phase, reason: RegExp) => ({ ...unreachable(phase, reason), waits: true }) as const;
const noResponse = silent('processing', /connected, but no response/);
const noEnd = silent('transfer', /the response began, but did not end/);

const table: Readonly<Record<string, Omit<Misbehaviour, 'name'>>> = {
  'accepted, then closed': { onSocket: (socket) => socket.end(), ...unanswered },
  'accepted, then silent': silent('processing', /within 3000 ms \(connected, but no response\)/),
  'closed after the request': { onRequest: (socket) => socket.end(), ...unanswered },
  'half the headers, then silence': { ...respondingWith(() => opening), ...noResponse },
  'headers, then silence': { ...respondingWith(() => `${opening}content-length: 10\r\n\r\n`), ...noEnd },
  'headers one byte at a time': { onRequest: (socket) => trickle(socket, `${opening}\r\n`), ...noResponse },
  'body one byte at a time': {
    onRequest: (socket) => {
      socket.write(`${opening}content-length: 1000\r\n\r\n`);
      trickle(socket, ' '.repeat(1_000));
    },
    ...noEnd,
  },
  'reset before the answer': {
    onRequest: (socket) => socket.resetAndDestroy(),
    ...unreachable('processing', /connection reset without a response/),
  },
  'reset in the middle of the body': {
    onRequest: (socket) => {
      socket.write(`${opening}content-length: 1000\r\n\r\n{"a`);
      // The first part must be sent before the reset, which would overtake it.
      setTimeout(() => socket.resetAndDestroy(), 20);
    },
    ...unreachable('transfer', /connection (reset|closed) before the response was complete/),
  },
  'another protocol': { onSocket: (socket) => socket.write('SSH-2.0-OpenSSH_9.9\r\n'), ...noHttp },
  'a bad status line': { ...respondingWith(() => 'HTTP/1.1 fine OK\r\n\r\n'), ...noHttp },
  '100 kB of headers': {
    ...status('200 OK', { 'x-long': 'x'.repeat(100_000) }),
    ...{ verdict: 'unknown', phase: 'processing' },
    reason: /headers are larger than 65536 bytes \(MAX_HEADER_BYTES\)/,
  },
  'many headers, 100 kB together': {
    ...status('200 OK', Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`x-${at}`, 'x'.repeat(1_000)]))),
    ...{ verdict: 'unknown', phase: 'processing' },
    reason: /headers are larger than 65536 bytes \(MAX_HEADER_BYTES\)/,
  },
  '60 kB of headers': { ...status('500 Large', { 'x-long': 'x'.repeat(60_000) }), ...failed(/500 Large/) },
  'two lengths': {
    ...respondingWith(() => `${opening}content-length: 2\r\ncontent-length: 2\r\n\r\n{}`),
    ...unreachable('processing', /not valid HTTP: it has more than one Content-Length/),
  },
  'lines that end in LF alone': {
    ...respondingWith(() => `${opening}content-length: 2\r\n\r\n{}`.replaceAll('\r', '')),
    ...unreachable('processing', /not valid HTTP: a line ends in LF alone/),
  },
  'a header on two lines': {
    ...respondingWith(() => `${opening}x-folded: a\r\n b\r\ncontent-length: 2\r\n\r\n{}`),
    ...unreachable('processing', /not valid HTTP: a header .*continues on the next line/),
  },
  'informational answers without end': {
    onRequest: (socket) => flood(socket, Buffer.from('HTTP/1.1 102 Processing\r\n\r\n'.repeat(2_000))),
    titles: reads,
    ...unreachable('processing', /endless series of informational \(1xx\) responses/),
  },
  'an unrequested switch to another protocol': {
    ...respondingWith(() => 'HTTP/1.1 101 Switching Protocols\r\nupgrade: chat\r\nconnection: upgrade\r\n\r\n'),
    ...unreachable('processing', /an unrequested switch to another protocol/),
  },
  'a content-length that is too long, then closed': {
    ...respondingWith(() => rawResponse('200 OK', '{}', { 'content-length': '100' }), true),
    ...unreachable('transfer', /closed before the response was complete/),
  },
  'a content-length that is too short': {
    ...json('{"userId":"user-ben"}', { 'content-length': '5' }),
    ...unreachable('transfer', /not valid HTTP/),
  },
  'bad chunks': {
    ...respondingWith(() => `${opening}transfer-encoding: chunked\r\n\r\nnonsense\r\n{}\r\n`),
    ...unreachable('transfer', /not valid HTTP: the size of a chunk is not a number/),
  },
  'a body without end, fast': {
    onRequest: (socket) => {
      socket.write(`${opening}\r\n`);
      flood(socket, chunk64k);
    },
    ...tooLarge(/the response is larger than 5 MB/),
  },
  'a body of 50 MB': {
    onRequest: (socket) => {
      socket.write(`${opening}content-length: 52428800\r\n\r\n`);
      flood(socket, chunk64k, 800);
    },
    ...tooLarge(/the response is larger than 5 MB/),
  },
  'a gzip bomb of 400 MB': { ...json(bomb(400), gzip), ...tooLarge(/larger than 5 MB when decompressed/) },
  'a million empty objects': {
    ...json(`[${'{},'.repeat(999_999)}{}]`),
    ...tooLarge(/larger than 5 MB when parsed/),
  },
  'raw deflate': {
    ...json(deflateRawSync('[{"userId":"user-nobody"}]'), { 'content-encoding': 'deflate' }),
    titles: ['block, then list, then unblock'],
    ...failed(/not found in 1 entry/),
  },
  'a coding that nobody asked for': {
    ...json(zstdCompressSync('[{"userId":"user-nobody"}]'), { 'content-encoding': 'zstd' }),
    ...failed(/the body is in the coding zstd, which nobody asked for/),
  },
  'corrupt gzip': { ...json('this is not gzip', gzip), ...failed(/the body is not valid gzip/) },
  'truncated gzip': {
    ...json(gzipSync('{"userId":"user-ben"}').subarray(0, -12), gzip),
    ...failed(/the body is not valid gzip/),
  },
  '500 everywhere': { ...status('500 Internal Server Error'), ...failed(/500 Internal/) },
  '503 everywhere': { ...status('503 Service Unavailable'), ...failed(/503 Service/) },
  '503 that says when to come back': {
    ...status('503 Service Unavailable', { 'retry-after': '120' }),
    ...failed(/503 .*retry after 120 s/),
  },
  '429 that says when to come back': {
    ...status('429 Too Many Requests', { 'retry-after': '30' }),
    verdict: 'unknown',
    reason: /throttled.*retry after 30 s/,
  },
  '404 everywhere': { ...status('404 Not Found'), ...failed(/404 Not Found/) },
  '401 everywhere': { ...status('401 Unauthorized'), ...refused(/401 Unauthorized/) },
  '403 everywhere': { ...status('403 Forbidden'), ...refused(/403 Forbidden/) },
  '204 where a list belongs': {
    ...respondingWith(() => 'HTTP/1.1 204 No Content\r\n\r\n'),
    titles: reads,
    ...failed(/no body/),
  },
  'an empty 200 where a list belongs': { ...json(''), titles: reads, ...failed(/no body/) },
  'HTML with 200': {
    ...json('<html><script>alert(1)</script></html>', { 'content-type': 'text/html' }),
    ...failed(/the body is HTML, not JSON: a login page\?/),
  },
  'invalid JSON': { ...json("{'userId': undefined}"), ...notJson },
  'truncated JSON': { ...json('[{"userId":"user-ben"},{"use'), ...notJson },
  'JSON that is not UTF-8': {
    ...json(Buffer.from('{"name":"caf\xe9"}', 'latin1')),
    ...failed(/the body is not UTF-8/),
  },
  'JSON 30,000 deep': {
    ...json('['.repeat(30_000) + ']'.repeat(30_000)),
    titles: ['evaluate a flag with default', 'block, then list, then unblock'],
    ...failed(/not found in 1 entry/),
  },
  'keys that would change prototypes': {
    ...json('{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}'),
    titles: ['evaluate a flag with default'],
    ...failed(/an undefined key returns the default of the call/),
  },
  'cookies that would poison the next call': {
    ...status('500 Poisoned', { 'set-cookie': 'session=poison; Path=/', 'Set-Cookie': 'broken; Domain=..' }),
    ...failed(/500 Poisoned/),
  },
  'terminal escapes, script tags and direction marks': {
    ...respondingWith(() =>
      rawResponse('500 Oh', '\u001b[2J\u001b]0;owned\u0007<script>alert(1)</script>\u202e\u009b31m'),
    ),
    ...failed(/500 Oh/),
  },
  'credentials echoed in body and headers': {
    ...respondingWith(({ head }) => {
      const lines = head.split('\r\n').slice(1);
      return rawResponse('400 Bad', JSON.stringify({ lines }), { 'x-echo': lines.join(' ') });
    }),
    ...failed(/400 Bad/),
  },
};

export const misbehaviours: readonly Misbehaviour[] = Object.entries(table).map(([name, row]) => ({ name, ...row }));

export interface TlsMisbehaviour extends Misbehaviour {
  /** Absent: the server doesn't speak TLS. */
  readonly tls?: KeyAndCertificate & TlsOptions;
  /** Whether the caller trusts the certificate's issuer. */
  readonly trusted: boolean;
}

const HOST = '127.0.0.1';
const inTls = { verdict: 'unreachable', phase: 'tls' } as const;

/** The server wants a certificate of its client. */
const asking = { requestCert: true, rejectUnauthorized: true } as const;

export function tlsMisbehaviours(): TlsMisbehaviour[] {
  const table: Readonly<Record<string, Partial<TlsMisbehaviour> & Pick<TlsMisbehaviour, 'reason'>>> = {
    'a self-signed certificate': { tls: certificateFor(HOST, 90), reason: /the certificate is self-signed/ },
    'an expired certificate': { tls: certificateFor(HOST, -1), trusted: true, reason: /the certificate has expired/ },
    'a certificate for another host': {
      tls: certificateFor('elsewhere.example', 90),
      trusted: true,
      reason: /the certificate is for another host/,
    },
    'a silent handshake': { waits: true, reason: /still in the TLS handshake/ },
    'a leaf without its intermediate certificate': {
      tls: certificateFor(HOST, 90, 'Intermediate of Nobody'),
      reason: /the server doesn’t send its intermediate certificate, or the authority isn’t trusted here/,
    },
    'TLS 1.1 alone': {
      tls: { ...certificateFor(HOST, 90), minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' },
      reason: /alert 70.*older than 1\.2/,
    },
    'a client certificate, over TLS 1.2': {
      tls: { ...certificateFor(HOST, 90), ...asking, maxVersion: 'TLSv1.2' },
      trusted: true,
      reason: /alert 40.*asks for a client certificate, or shares no cipher/,
    },
    'a client certificate, over TLS 1.3': {
      tls: { ...certificateFor(HOST, 90), ...asking },
      trusted: true,
      reason: /alert 116.*asks for a client certificate/,
    },
    'no common cipher': {
      tls: { ...certificateFor(HOST, 90), maxVersion: 'TLSv1.2', ciphers: 'ECDHE-RSA-AES128-GCM-SHA256' },
      reason: /alert 40.*asks for a client certificate, or shares no cipher/,
    },
    'plain HTTP on a TLS port': {
      onSocket: (socket) => socket.once('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')),
      reason: /does not speak valid TLS/,
    },
    'closed during the handshake': {
      onSocket: (socket) => socket.once('data', () => socket.end()),
      reason: /closed without a response/,
    },
  };
  return Object.entries(table).map(([name, row]) => ({ name, trusted: false, ...inTls, ...row }));
}
