import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { test } from 'node:test';
import type { Verdict } from '../../client/index.ts';
import type { ScenarioResult } from '../../runner/index.ts';
import { Connectivity, runProbe } from './run-probe.ts';

const result = (verdict: Verdict): ScenarioResult => ({
  title: 't',
  area: 'friends',
  effect: 'read',
  file: 't.spec.ts',
  verdict,
  startedAt: 0,
  durationMs: 1,
  exchanges: [],
});

interface Case {
  readonly attempts: readonly Verdict[];
  readonly isKnownDown?: boolean;
  readonly sleepsIn?: number;
  readonly cutOff?: boolean;
  readonly ends?: boolean;
  /** How long each attempt takes, in ms. */
  readonly takes?: number;
}

async function verdictsOf({ attempts, isKnownDown = false, sleepsIn, cutOff, ends, takes = 0 }: Case): Promise<string> {
  let made = 0;
  const waits: number[] = [];
  let clock = 0;
  let pauses = 0;
  const controller = new AbortController();
  const { first, second } = await runProbe({
    attempt: async () => {
      if (made === sleepsIn) pauses++;
      clock += takes;
      return result(attempts[made++] as Verdict);
    },
    isKnownDown,
    confirmAfterMs: 9_000,
    wait: async (ms) => {
      waits.push(ms);
      clock += ms;
      if (ends) controller.abort();
    },
    pauses: () => pauses,
    whyCutOff: async () => (cutOff ? 'cut off' : undefined),
    now: () => clock,
    signal: controller.signal,
  });
  return `${first.verdict} ${second?.verdict ?? '-'} waited ${waits.join(' ') || 0}`;
}

const rows: [string, Case, string][] = [
  ['well', { attempts: ['passed'] }, 'passed - waited 0'],
  ['slow is not a failure', { attempts: ['slow'] }, 'slow - waited 0'],
  [
    'red four times, spread over the confirmation',
    { attempts: ['failed', 'failed', 'failed', 'failed'] },
    'failed failed waited 3000 3000 3000',
  ],
  ['red, then well', { attempts: ['failed', 'passed'] }, 'failed passed waited 3000'],
  [
    'red three times, then well',
    { attempts: ['failed', 'failed', 'failed', 'slow'] },
    'failed slow waited 3000 3000 3000',
  ],
  [
    'the last attempt starts when the confirmation ends, whatever the others take',
    { attempts: ['failed', 'failed', 'failed', 'failed'], takes: 2_000 },
    'failed failed waited 3000 1000 1000',
  ],
  [
    'attempts that take longer than the confirmation follow at once',
    { attempts: ['failed', 'failed', 'failed', 'failed'], takes: 20_000 },
    'failed failed waited 3000 0 0',
  ],
  [
    'an attempt that proves nothing in between',
    { attempts: ['failed', 'unknown', 'failed', 'failed'] },
    'failed failed waited 3000 3000 3000',
  ],
  ['known to be down', { attempts: ['failed'], isKnownDown: true }, 'failed - waited 0'],
  ['suspended during the first', { attempts: ['unreachable'], sleepsIn: 0 }, 'unknown - waited 0'],
  [
    'suspended during the last',
    { attempts: ['failed', 'failed', 'failed', 'unreachable'], sleepsIn: 3 },
    'failed failed waited 3000 3000 3000',
  ],
  [
    'red, and then nothing that proves anything',
    { attempts: ['failed', 'unknown', 'skipped', 'unknown'] },
    'failed - waited 3000 3000 3000',
  ],
  [
    'unreachable, and then suspended',
    { attempts: ['unreachable', 'unknown', 'unknown', 'unknown'] },
    'unreachable unknown waited 3000 3000 3000',
  ],
  ['suspended, but passed', { attempts: ['passed'], sleepsIn: 0 }, 'passed - waited 0'],
  ['offline', { attempts: ['unreachable'], cutOff: true }, 'unknown - waited 0'],
  [
    'a wrong response shows that we are online',
    { attempts: ['failed', 'failed', 'failed', 'failed'], cutOff: true },
    'failed failed waited 3000 3000 3000',
  ],
  ['the monitor stopped meanwhile', { attempts: ['failed'], ends: true }, 'unknown - waited 3000'],
];

test('which failures are confirmed, and which prove nothing', async () => {
  for (const [name, given, expected] of rows) assert.equal(await verdictsOf(given), expected, name);
});

test('the connectivity probe decides only when nothing responded', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  const probe = { host: '127.0.0.1', port };
  const there = new Connectivity(probe);
  assert.equal(await there.whyCutOff(10), undefined, 'the probe connects: they are down');
  server.close();
  await once(server, 'close');
  const gone = new Connectivity(probe);
  assert.match((await gone.whyCutOff(10)) ?? '', /offline.*127\.0\.0\.1/);
  gone.answered(9);
  assert.match((await gone.whyCutOff(10)) ?? '', /offline/, 'an earlier response proves nothing');
  gone.answered(11);
  assert.equal(await gone.whyCutOff(10), undefined, 'a service responded meanwhile');
  assert.equal(await new Connectivity(undefined).whyCutOff(10), undefined, 'no probe configured');
});
