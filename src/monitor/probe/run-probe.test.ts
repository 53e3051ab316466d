import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { test } from 'node:test';
import type { ConnectionFailure, Verdict } from '../../client/index.ts';
import { type AreaId, areaIds } from '../../spec/index.ts';
import { fakeExchange, fakeResult } from '../../testing/monitor/fakes.ts';
import { listening } from '../../testing/servers/listening.ts';
import { failingAlike, recentLooks } from './failing-alike.ts';
import { connectivityOf, runProbe } from './run-probe.ts';

interface Case {
  readonly isKnownDown?: boolean;
  readonly sleepsIn?: number;
  readonly cutOff?: boolean;
  readonly ends?: boolean;
  /** How long each attempt takes, in s. */
  readonly takes?: number;
}

async function verdictsOf(story: string, given: Case): Promise<string> {
  const { isKnownDown = false, sleepsIn, cutOff, ends, takes = 0 } = given;
  const attempts = story.split(' ');
  let made = 0;
  const waits: number[] = [];
  let clock = 0;
  let pauses = 0;
  const controller = new AbortController();
  const { first, second } = await runProbe({
    attempt: async () => {
      if (made === sleepsIn) pauses++;
      clock += takes * 1_000;
      return fakeResult(attempts[made++] as Verdict, 0);
    },
    isKnownDown,
    confirmAfterMs: 9_000,
    wait: async (ms) => {
      waits.push(ms / 1_000);
      clock += ms;
      if (ends) controller.abort();
    },
    pauses: () => pauses,
    whyCutOff: async () => (cutOff ? 'cut off' : undefined),
    now: () => clock,
    signal: controller.signal,
  });
  return `${first.verdict}, ${second?.verdict ?? '-'}${waits.length > 0 ? ` after ${waits.join(' ')}` : ''}`;
}

const rows: [name: string, attempts: string, expected: string, given?: Case][] = [
  ['well', 'passed', 'passed, -'],
  ['slow is not a failure', 'slow', 'slow, -'],
  ['red four times, spread over the confirmation', 'failed failed failed failed', 'failed, failed after 3 3 3'],
  ['red, then well', 'failed passed', 'failed, passed after 3'],
  ['red three times, then well', 'failed failed failed slow', 'failed, slow after 3 3 3'],
  [
    'the last starts when the confirmation ends',
    'failed failed failed failed',
    'failed, failed after 3 1 1',
    { takes: 2 },
  ],
  ['long attempts follow at once', 'failed failed failed failed', 'failed, failed after 3 0 0', { takes: 20 }],
  ['one that proves nothing in between', 'failed unknown failed failed', 'failed, failed after 3 3 3'],
  ['known to be down', 'failed', 'failed, -', { isKnownDown: true }],
  ['suspended during the first', 'unreachable', 'unknown, -', { sleepsIn: 0 }],
  ['suspended in the last', 'failed failed failed unreachable', 'failed, failed after 3 3 3', { sleepsIn: 3 }],
  ['red, and then nothing that proves anything', 'failed unknown skipped unknown', 'failed, - after 3 3 3'],
  ['unreachable, and then suspended', 'unreachable unknown unknown unknown', 'unreachable, unknown after 3 3 3'],
  ['suspended, but passed', 'passed', 'passed, -', { sleepsIn: 0 }],
  ['offline', 'unreachable', 'unknown, -', { cutOff: true }],
  ['a wrong response: we are online', 'failed failed failed failed', 'failed, failed after 3 3 3', { cutOff: true }],
  ['the monitor stopped meanwhile', 'failed', 'unknown, - after 3', { ends: true }],
];

test('which failures are confirmed, and which prove nothing', async () => {
  for (const [name, attempts, expected, given = {}] of rows)
    assert.equal(await verdictsOf(attempts, given), expected, name);
});

test('the connectivity probe decides only when nothing responded', async () => {
  const { port, stop } = await listening(createServer());
  const probe = { host: '127.0.0.1', port };
  const there = connectivityOf(probe);
  assert.equal(await there.whyCutOff(10), undefined, 'the probe connects: they are down');
  await stop();
  const gone = connectivityOf(probe);
  assert.match((await gone.whyCutOff(10)) ?? '', /offline.*127\.0\.0\.1/);
  gone.answered(9);
  assert.match((await gone.whyCutOff(10)) ?? '', /offline/, 'an earlier response proves nothing');
  gone.answered(11);
  assert.equal(await gone.whyCutOff(10), undefined, 'a service responded meanwhile');
  assert.equal(await connectivityOf(undefined).whyCutOff(10), undefined, 'no probe configured');
});

const tcpServer = () => createServer((socket) => socket.on('error', () => {}));

const failed = (phase: ConnectionFailure['phase'], code: string) => {
  const { response: _, ...call } = fakeExchange();
  return fakeResult('unreachable', 0, { failing: { ...call, failure: { phase, code, side: 'service', reason: 'x' } } });
};

test('which addresses fail like the one that failed', async (t) => {
  const silent = await listening(tcpServer());
  t.after(silent.stop);
  const gone = await listening(tcpServer());
  await gone.stop();
  const [refused, open] = [new URL(gone.url), new URL(silent.url)];
  const [secure, unknown] = [new URL(`https://127.0.0.1:${silent.port}/`), new URL('http://name.invalid/')];
  const everywhere = (url: URL) => Object.fromEntries(areaIds.map((area) => [area, url])) as Record<AreaId, URL>;
  const addresses = { ...everywhere(open), friends: refused, stories: refused, gameDesign: secure, profile: unknown };
  const found = await failingAlike(failed('connect', 'ECONNREFUSED'), { addresses });
  assert.deepEqual(found, { phase: 'connect', code: 'ECONNREFUSED', areas: ['friends', 'stories'] });

  const elsewhere = `http://localhost:${gone.port}/`;
  const others = Object.entries({ refused: `${refused}path/`, open: open.href, elsewhere }).map(([name, url]) => ({
    name,
    addresses: everywhere(new URL(url)),
  }));
  const named = await failingAlike(failed('connect', 'ECONNREFUSED'), { addresses }, others);
  assert.deepEqual(named?.others, ['refused']);

  Object.assign(addresses, { friends: secure });
  const silentTls = await failingAlike(failed('tls', 'DEADLINE'), { addresses }, [], recentLooks(100));
  assert.deepEqual(silentTls?.areas, ['friends', 'gameDesign']);

  const { failing: _, ...without } = fakeResult('unreachable', 0);
  Object.assign(addresses, { friends: refused });
  assert.equal((await failingAlike(without, { addresses }))?.code, 'ECONNREFUSED');
});

test('an address is connected to once for all who ask at the same time, and again two seconds later', async (t) => {
  const server = tcpServer();
  const { url: origin, stop } = await listening(server);
  t.after(stop);
  let connections = 0;
  server.on('connection', () => connections++);
  let now = 0;
  const look = recentLooks(5_000, () => now);
  await Promise.all([1, 2, 3].map(() => look(origin, 'connect')));
  now = 1_999;
  await look(origin, 'processing');
  now = 2_000;
  assert.equal(await look(origin, 'connect'), undefined);
  while (connections < 2) await new Promise(setImmediate);
  assert.equal(connections, 2);
});
