import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { after, before, type TestContext, test } from 'node:test';
import { getCACertificates, setDefaultCACertificates, type TlsOptions } from 'node:tls';
import { deflateRawSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { scenarioRows } from '../../cli/check/console.ts';
import { checkDocument } from '../../cli/check/outputs.ts';
import { isUnconnected, type Phase } from '../../http/index.ts';
import { playwrightTransports } from '../../playwright/adapter/transports.ts';
import { colours } from '../../playwright/index.ts';
import { nodeTransports } from '../../scenario/index.ts';
import { lastingReason } from '../../testing/lasting-reason.ts';
import { fastFolder, temporaryFolder } from '../../testing/own-folder.ts';
import { play, resultText } from '../../testing/play.ts';
import { certificateFor, type KeyAndCertificate } from '../../testing/servers/certificate.ts';
import { ownService } from '../../testing/servers/own-service.ts';
import { type Behaviour, rawResponse, respondingWith, startRawServer } from '../../testing/servers/raw-server.ts';
import { canaries, embeddedEnvironment, testEnvironment } from '../../testing/test-environment.ts';
import type { Verdict } from '../../verdict/index.ts';
import { causesOf, workingAreas } from '../ending/index.ts';
import { hostFailures, runAll, type ScenarioResult, scenarios } from '../index.ts';

/** The deadline in ms if nothing else ends a call: short, but long enough for a busy machine to send a request. */
const SILENCE_MS = 3_000;

/** A way in which a server misbehaves, with the verdict that the suite must give. */
interface Misbehaviour extends Behaviour {
  readonly name: string;
  readonly verdict: Verdict;
  /** The phase in which the call failed; absent if there was a response. */
  readonly phase?: Phase;
  /** True if nothing but the deadline ends the call. */
  readonly waits?: true;
  /** The pattern of the reason that every scenario must give. */
  readonly reason: RegExp;
  /** The only scenarios to check, if other scenarios have another verdict or would only take more time. */
  readonly titles?: readonly string[];
}

const status = (line: string, headers: Readonly<Record<string, string>> = {}) =>
  respondingWith(() => rawResponse(line, '{"error":"so it is"}', headers));
const json = (body: string | Buffer, headers: Readonly<Record<string, string>> = {}) =>
  respondingWith(() => rawResponse('200 OK', body, headers));

const gzip = { 'content-encoding': 'gzip' };
const chunk64k = Buffer.alloc(65_536, 0x20);
const opening = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n';
/** The scenarios whose first call fails if the response has no usable body. */
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

/** Writes `text` one byte every 200 ms. */
function trickle(socket: Socket, text: string): void {
  let at = 0;
  const timer = setInterval(() => {
    if (socket.destroyed || at >= text.length) clearInterval(timer);
    else socket.write(text[at++] ?? '');
  }, 200);
}

/** Writes `chunk` `times` times, as fast as the client reads. By default, never stops. */
function flood(socket: Socket, chunk: Buffer, times = Number.POSITIVE_INFINITY): void {
  let left = times;
  const more = () => {
    while (left-- > 0 && !socket.destroyed) if (!socket.write(chunk)) return void socket.once('drain', more);
  };
  more();
}

/** A gzip bomb that decompresses to `megabytes` MB. Gzip files may be concatenated. */
function bomb(megabytes: number): Buffer {
  return Buffer.concat(new Array<Buffer>(megabytes).fill(gzipSync(Buffer.alloc(1_000_000))));
}

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
      // The reset must wait until the first part is sent, because it discards unsent data.
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
  'two lengths in one header': {
    ...respondingWith(() => `${opening}content-length: 2, 2\r\n\r\n{}`),
    ...unreachable('processing', /not valid HTTP: its Content-Length is not one number/),
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
    ...failed(/the body is in the encoding zstd, which the request did not allow/),
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

const misbehaviours: readonly Misbehaviour[] = Object.entries(table).map(([name, row]) => ({ name, ...row }));

interface TlsMisbehaviour extends Misbehaviour {
  /** Key and certificate of the server. Absent if the server doesn't speak TLS. */
  readonly tls?: KeyAndCertificate & TlsOptions;
  /** Whether the client trusts the issuer of the certificate. */
  readonly trusted: boolean;
}

const HOST = '127.0.0.1';
const inTls = { verdict: 'unreachable', phase: 'tls' } as const;

/** TLS options with which the server demands a client certificate. */
const asking = { requestCert: true, rejectUnauthorized: true } as const;

function tlsMisbehaviours(): TlsMisbehaviour[] {
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
      reason: /does not speak TLS there/,
    },
    'closed during the handshake': {
      onSocket: (socket) => socket.once('data', () => socket.end()),
      reason: /closed without a response/,
    },
  };
  return Object.entries(table).map(([name, row]) => ({ name, trusted: false, ...inTls, ...row }));
}

/** The deadline of a call in ms: short if nothing else ends the call, otherwise too long for even a busy machine to reach. */
const deadlineMs = ({ waits }: Pick<Misbehaviour, 'waits'>) => (waits ? SILENCE_MS : 20_000);
const MOST_EXTRA_MEMORY = 200_000_000;

const healthy = await ownService();
const { path: folder, end } = temporaryFolder(fastFolder());
after(end);
before(assertHealthyCheckPasses);

for (const misbehaviour of misbehaviours)
  test(`over HTTP: ${misbehaviour.name}`, async (t) => {
    const server = await served(t, misbehaviour);
    assertVerdicts(misbehaviour, await checkWithBoth(server.url, misbehaviour));
    for (const { head } of server.requests) {
      assert.doesNotMatch(head, /^cookie:/im);
      // The server received the secrets (canaries), so the results could have leaked them.
      assert.match(head, /canary-/);
    }
  });

for (const misbehaviour of tlsMisbehaviours())
  test(`over TLS: ${misbehaviour.name}`, async (t) => {
    const { tls, trusted } = misbehaviour;
    const usual = getCACertificates('default');
    t.after(() => setDefaultCACertificates(usual));
    if (tls && trusted) setDefaultCACertificates([...usual, tls.cert]);
    const { url } = await served(t, misbehaviour, tls);
    const results = await checkWithBoth(url.replace('http:', 'https:'), misbehaviour);
    assertVerdicts(misbehaviour, results);
    assertToldOnce(results, 'tls');
  });

test('connection refused', async () => {
  const results = await check('http://127.0.0.1:9');
  assertVerdicts({ name: '', verdict: 'unreachable', phase: 'connect', reason: /connection refused/ }, results);
  assertToldOnce(results, 'connect');
});

for (const [name, path] of [
  ['to another origin', (elsewhere: number) => `http://127.0.0.1:${elsewhere}/v1/steal`],
  ['in a loop', () => '/v1/again'],
] as const)
  test(`redirects ${name} are not followed`, async (t) => {
    const elsewhere = await served(t, { onSocket: (socket) => socket.end() });
    const redirect = rawResponse('307 Temporary Redirect', '', { location: path(elsewhere.port) });
    const server = await served(t, { onRequest: (socket) => void socket.write(redirect) });
    const expected: Misbehaviour = { name, verdict: 'failed', reason: /307 .*redirects are not followed/ };
    assertVerdicts(expected, await checkWithBoth(server.url, expected));
    const followed = server.requests.filter(({ head }) => / \/v1\/(again|steal) /.test(head));
    assert.deepEqual([followed, elsewhere.requests], [[], []]);
  });

test('whatever the services did, this process is as it was', assertHealthyCheckPasses);

/** Starts a server that misbehaves until the test ends. */
async function served(t: TestContext, behaviour: Behaviour, tls?: Parameters<typeof startRawServer>[1]) {
  const server = await startRawServer(behaviour, tls);
  t.after(server.stop);
  return { ...server, url: `http://127.0.0.1:${server.port}` };
}

/**
 * Scenarios that together call every area with every kind of request. One area has three scenarios, so that one of them remains untried
 * after two failures.
 */
const played = [
  'block, then list, then unblock',
  'clone type',
  'evaluate a flag with default',
  'evaluate a flag that exists',
  'get friend profile, as configured',
  'love, then unlove',
  'read-only round',
  'update profile, then read it back',
  'who blocked me',
];

/** Runs a check with the transports of each runner, and asserts that both give the same results. */
async function checkWithBoth(address: string, row: Misbehaviour): Promise<ScenarioResult[]> {
  const results = await check(address, row);
  const theirs = await check(address, row, playwrightTransports);
  if (row.waits) for (const all of [results, theirs]) assertWaitedTwice(all);
  // After three refusals of a token, the suite no longer sends it. Timing decides which scenarios get these refusals, so the test doesn't
  // compare the reasons.
  const compared = row.verdict === 'refused' ? ({ title, verdict }: ScenarioResult) => ({ title, verdict }) : said;
  assert.deepEqual(theirs.map(compared), results.map(compared));
  return results;
}

/** The parts of a result that are the same in each run, so without ids, ports and times. */
function said({ title, verdict, grade, reason, failing }: ScenarioResult) {
  const { phase, side, code } = failing?.failure ?? {};
  const status = failing?.response?.status;
  return { title, verdict, grade, reason: reason && lastingReason(reason), phase, side, code, status };
}

/** Runs a check, and asserts everything that must hold for any behaviour of a service. */
async function check(
  address: string,
  { titles = played, ...row }: Pick<Misbehaviour, 'titles' | 'waits'> = {},
  connect: typeof playwrightTransports = nodeTransports,
): Promise<ScenarioResult[]> {
  const environment = testEnvironment(address, { REQUEST_TIMEOUT_MS: deadlineMs(row) });
  // A separate state folder, because leftovers of an earlier server would cause additional requests.
  process.env.SEXTANT_STATE = join(folder, randomUUID());
  const memory = process.memoryUsage.rss();
  const peakBefore = process.resourceUsage().maxRSS;
  const transports = connect(environment);
  const run = { environment, seed: '1', runId: randomUUID(), transports };
  const chosen = (await scenarios()).filter(({ title }) => titles.includes(title));
  const results = await runAll(chosen, run);
  await transports.dispose();
  // `maxRSS` is the peak since the start of the process. It says something about this check only if the check has raised it.
  const peak = process.resourceUsage().maxRSS;
  const extra = peak > peakBefore ? peak * 1024 - memory : 0;
  assert.ok(extra < MOST_EXTRA_MEMORY, `took ${Math.round(extra / 1e6)} MB`);
  assertNothingLeaks(results);
  assert.equal(({} as { polluted?: unknown }).polluted, undefined);
  return results;
}

function assertVerdicts({ verdict, phase, reason, titles }: Misbehaviour, results: readonly ScenarioResult[]): void {
  assert.equal(results.length, (titles ?? played).length);
  for (const result of results) {
    assert.equal(result.verdict, verdict, `${result.title}: ${result.reason}`);
    if (/^not tried: .* is not accepted/.test(result.reason ?? '')) continue;
    assert.match(result.reason ?? '', reason, result.title);
    assert.equal(result.failing?.failure?.phase, phase, result.title);
    assert.match(result.curl ?? '', /^curl -sS .*'http/, result.title);
  }
}

function assertToldOnce(results: readonly ScenarioResult[], phase: string): void {
  const hosts = hostFailures(results);
  const titles = results.map(({ title }) => title);
  assert.deepEqual([hosts.length, hosts[0]?.phase, hosts[0]?.scenarios], [1, phase, titles]);
}

/** Asserts that at most two scenarios of each area waited for a silent service: after the second, the suite tries no further one. */
function assertWaitedTwice(results: readonly ScenarioResult[]): void {
  const waited = results.filter(({ exchanges }) =>
    exchanges.some(({ failure }) => failure && !isUnconnected({ failure })),
  );
  for (const [area, those = []] of Object.entries(Object.groupBy(waited, ({ area }) => area)))
    assert.ok(those.length <= 2, `${area} waited for ${those.length}`);
}

/** Asserts that results contain no secret, and that the printed rows contain no control characters for the terminal. */
function assertNothingLeaks(results: readonly ScenarioResult[]): void {
  const causes = causesOf(
    results.map((each) => ({ ...each, environment: 'test', working: workingAreas(each.exchanges) })),
  );
  const nothing = { unproven: [], asked: [], remarks: [], credentials: [] };
  const document = JSON.stringify(
    checkDocument({
      environment: 'test',
      startedAt: 0,
      endedAt: 0,
      traffic: { requests: 0, unconnected: 0 },
      results,
      causes,
      ...nothing,
    }),
  );
  const layout = { colors: colours(false), columns: undefined };
  const rows = results.flatMap((result) => scenarioRows(result, layout)).join('\n');
  // Leaves out the parsed value of a body, which may be nested too deeply for JSON.stringify. The body's text is searched instead.
  const all = JSON.stringify(results, (key, value: unknown) => (key === 'json' ? undefined : value));
  for (const [key, secret] of Object.entries(canaries))
    for (const form of [secret, encodeURIComponent(secret), Buffer.from(secret).toString('hex')])
      for (const text of [document, rows, all]) assert.ok(!text.includes(form), `${key} leaked`);
  assert.doesNotMatch(rows.replaceAll('\n', ''), /[\p{Cc}\p{Cf}]/u);
}

async function assertHealthyCheckPasses(): Promise<void> {
  const environment = embeddedEnvironment(healthy, { requestTimeoutMs: 10_000, consistencyTimeoutMs: 2_000 });
  for (const title of [
    'block, then list, then unblock',
    'update profile, then read it back',
    'evaluate a flag with default',
  ])
    assert.match(resultText(await play(title, environment)), /^passed/, title);
}
