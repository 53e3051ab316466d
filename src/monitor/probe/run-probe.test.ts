import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { test } from 'node:test';
import type { Verdict } from '../../client/index.ts';
import type { ScenarioResult } from '../../runner/index.ts';
import { Connectivity } from './connectivity.ts';
import { runProbe } from './run-probe.ts';

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
}

async function verdictsOf({ attempts, isKnownDown = false, sleepsIn, cutOff, ends }: Case): Promise<string> {
  let made = 0;
  let waited = 0;
  let pauses = 0;
  const controller = new AbortController();
  const { first, second } = await runProbe({
    attempt: async () => {
      if (made === sleepsIn) pauses++;
      return result(attempts[made++] as Verdict);
    },
    isKnownDown,
    waitToConfirm: async () => {
      waited++;
      if (ends) controller.abort();
    },
    pauses: () => pauses,
    whyCutOff: async () => (cutOff ? 'cut off' : undefined),
    now: () => 0,
    signal: controller.signal,
  });
  return `${first.verdict} ${second?.verdict ?? '-'} waited ${waited}`;
}

const rows: [string, Case, string][] = [
  ['well', { attempts: ['passed'] }, 'passed - waited 0'],
  ['slow is not a failure', { attempts: ['slow'] }, 'slow - waited 0'],
  ['red, confirmed after the wait', { attempts: ['failed', 'failed'] }, 'failed failed waited 1'],
  ['red, then well', { attempts: ['failed', 'passed'] }, 'failed passed waited 1'],
  ['known to be down', { attempts: ['failed'], isKnownDown: true }, 'failed - waited 0'],
  ['suspended during the first', { attempts: ['unreachable'], sleepsIn: 0 }, 'unknown - waited 0'],
  ['suspended during the second', { attempts: ['failed', 'unreachable'], sleepsIn: 1 }, 'failed unknown waited 1'],
  ['suspended, but passed', { attempts: ['passed'], sleepsIn: 0 }, 'passed - waited 0'],
  ['offline', { attempts: ['unreachable'], cutOff: true }, 'unknown - waited 0'],
  [
    'a wrong response shows that we are online',
    { attempts: ['failed', 'failed'], cutOff: true },
    'failed failed waited 1',
  ],
  ['the monitor stopped meanwhile', { attempts: ['failed'], ends: true }, 'unknown - waited 1'],
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
