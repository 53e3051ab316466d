import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connectionFailureOf, type FailureContext } from './connection-failure.ts';
import type { WireTrace } from './wire.ts';

const context: FailureContext = {
  url: new URL('https://friends.example/v1/friends/block'),
  deadlineMs: 400,
  maxBytes: 5_000_000,
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

type Row = readonly [
  name: string,
  trace: Omit<WireTrace, 'created' | 'chunks'>,
  changes: Partial<FailureContext>,
  expected: readonly [phase: string, side: 'service' | 'ours', code: string, reason: RegExp],
];

const rows: readonly Row[] = [
  [
    'a name that does not exist',
    { marks: start, error: error('ENOTFOUND') },
    {},
    ['dns', 'service', 'ENOTFOUND', /the name does not exist/],
  ],
  [
    'no name server at all',
    { marks: start, error: error('EAI_AGAIN') },
    {},
    ['dns', 'ours', 'EAI_AGAIN', /no name server responds/],
  ],
  [
    'no file handle left',
    { marks: looked, error: error('EMFILE') },
    {},
    ['connect', 'ours', 'EMFILE', /out of file handles/],
  ],
  [
    'no route from here',
    { marks: looked, error: error('ENETUNREACH') },
    {},
    ['connect', 'ours', 'ENETUNREACH', /no route/],
  ],
  [
    'refused',
    { marks: looked, error: error('ECONNREFUSED') },
    {},
    ['connect', 'service', 'ECONNREFUSED', /connection refused/],
  ],
  [
    'expired',
    { marks: connected, error: error('CERT_HAS_EXPIRED') },
    {},
    ['tls', 'service', 'CERT_HAS_EXPIRED', /has expired/],
  ],
  [
    'another TLS error',
    { marks: connected, error: error('ERR_SSL_NO_CIPHER') },
    {},
    ['tls', 'service', 'ERR_SSL_NO_CIPHER', /speak valid TLS/],
  ],
  [
    'reset',
    { marks: secured, error: error('ECONNRESET', { syscall: 'read' }) },
    {},
    ['processing', 'service', 'ECONNRESET', /reset without a response/],
  ],
  [
    'closed',
    { marks: answered, error: error('ECONNRESET') },
    {},
    ['transfer', 'service', 'ECONNRESET', /closed before the response was complete/],
  ],
  [
    'no HTTP',
    { marks: secured, error: error('HPE_INVALID_VERSION') },
    {},
    ['processing', 'service', 'HPE_INVALID_VERSION', /not valid HTTP/],
  ],
  [
    'an unforeseen code',
    { marks: secured, error: error('ESOMETHING') },
    {},
    ['processing', 'service', 'ESOMETHING', /^ESOMETHING$/],
  ],
  [
    'the deadline, still resolving',
    { marks: start },
    { deadlineReached: true },
    ['dns', 'service', 'DEADLINE', /within 400 ms \(still resolving/],
  ],
  [
    'the deadline, while it broke',
    { marks: connected, error: error('ECONNRESET') },
    { deadlineReached: true },
    ['tls', 'service', 'DEADLINE', /still in the TLS handshake/],
  ],
  [
    'an abort',
    { marks: secured, error: error('ECONNRESET') },
    { aborted: true },
    ['processing', 'ours', 'ABORTED', /the run was stopped/],
  ],
  [
    'too large',
    { marks: answered, tooLarge: 'transferred' },
    {},
    ['transfer', 'ours', 'TOO_LARGE', /larger than 5 MB$/],
  ],
  [
    'too large when decompressed',
    { marks: answered, tooLarge: 'decompressed' },
    {},
    ['transfer', 'ours', 'TOO_LARGE', /larger than 5 MB when decompressed/],
  ],
  [
    'a bug of our own',
    { marks: answered },
    { thrown: new TypeError('canary') },
    ['transfer', 'ours', 'SUITE_FAULT', /could not be followed: a bug in the suite \(TypeError\)/],
  ],
  [
    'a bug of our own at the wire',
    { marks: secured, fault: new RangeError('canary') },
    {},
    ['processing', 'ours', 'SUITE_FAULT', /\(RangeError\)/],
  ],
];

for (const [name, trace, changes, [phase, side, code, reason]] of rows)
  test(`${name} is reported as ${side}, in ${phase}`, () => {
    const failure = connectionFailureOf({ created: true, chunks: [], ...trace }, { ...context, ...changes });
    assert.deepEqual([failure.phase, failure.side, failure.code], [phase, side, code]);
    assert.match(failure.reason, reason);
    assert.doesNotMatch(failure.reason, /canary/);
  });

test('a request that was never made is ours', () => {
  const failure = connectionFailureOf({ marks: start, chunks: [] }, { ...context, thrown: error('ERR_INVALID_CHAR') });
  assert.equal(failure.side, 'ours');
  assert.equal(failure.code, 'NOT_SENT');
  assert.match(failure.reason, /was not sent: a bug in the suite \(ERR_INVALID_CHAR\)/);
});
