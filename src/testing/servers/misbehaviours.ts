import { gzipSync } from 'node:zlib';
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
    ...unreachable('processing', /headers are larger/),
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
    ...unreachable('transfer', /not valid HTTP \(HPE_INVALID_CHUNK_SIZE\)/),
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
    ...failed(/not valid JSON/),
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
    ...failed(/documented: an undefined key returns the default of the call/),
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
  readonly tls?: KeyAndCertificate;
  /** Whether the caller trusts the certificate's issuer. */
  readonly trusted: boolean;
}

const HOST = '127.0.0.1';
const inTls = { verdict: 'unreachable', phase: 'tls' } as const;

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
