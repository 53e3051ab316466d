import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { test } from 'node:test';
import type { Verdict } from '../../client/index.ts';
import { fakeResult } from '../../testing/monitor/fakes.ts';
import { listening } from '../../testing/servers/listening.ts';
import { Connectivity, runProbe } from './run-probe.ts';

interface Case {
  readonly isKnownDown?: boolean;
  readonly sleepsIn?: number;
  readonly cutOff?: boolean;
  readonly ends?: boolean;
  /** How long each attempt takes, in ms. */
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
      clock += takes;
      return fakeResult(attempts[made++] as Verdict, 0);
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

const rows: [name: string, attempts: string, expected: string, given?: Case][] = [
  ['well', 'passed', 'passed - waited 0'],
  ['slow is not a failure', 'slow', 'slow - waited 0'],
  [
    'red four times, spread over the confirmation',
    'failed failed failed failed',
    'failed failed waited 3000 3000 3000',
  ],
  ['red, then well', 'failed passed', 'failed passed waited 3000'],
  ['red three times, then well', 'failed failed failed slow', 'failed slow waited 3000 3000 3000'],
  [
    'the last attempt starts when the confirmation ends, whatever the others take',
    'failed failed failed failed',
    'failed failed waited 3000 1000 1000',
    { takes: 2_000 },
  ],
  [
    'attempts that take longer than the confirmation follow at once',
    'failed failed failed failed',
    'failed failed waited 3000 0 0',
    { takes: 20_000 },
  ],
  ['an attempt that proves nothing in between', 'failed unknown failed failed', 'failed failed waited 3000 3000 3000'],
  ['known to be down', 'failed', 'failed - waited 0', { isKnownDown: true }],
  ['suspended during the first', 'unreachable', 'unknown - waited 0', { sleepsIn: 0 }],
  [
    'suspended during the last',
    'failed failed failed unreachable',
    'failed failed waited 3000 3000 3000',
    { sleepsIn: 3 },
  ],
  ['red, and then nothing that proves anything', 'failed unknown skipped unknown', 'failed - waited 3000 3000 3000'],
  [
    'unreachable, and then suspended',
    'unreachable unknown unknown unknown',
    'unreachable unknown waited 3000 3000 3000',
  ],
  ['suspended, but passed', 'passed', 'passed - waited 0', { sleepsIn: 0 }],
  ['offline', 'unreachable', 'unknown - waited 0', { cutOff: true }],
  [
    'a wrong response shows that we are online',
    'failed failed failed failed',
    'failed failed waited 3000 3000 3000',
    { cutOff: true },
  ],
  ['the monitor stopped meanwhile', 'failed', 'unknown - waited 3000', { ends: true }],
];

test('which failures are confirmed, and which prove nothing', async () => {
  for (const [name, attempts, expected, given = {}] of rows)
    assert.equal(await verdictsOf(attempts, given), expected, name);
});

test('the connectivity probe decides only when nothing responded', async () => {
  const { port, stop } = await listening(createServer());
  const probe = { host: '127.0.0.1', port };
  const there = new Connectivity(probe);
  assert.equal(await there.whyCutOff(10), undefined, 'the probe connects: they are down');
  await stop();
  const gone = new Connectivity(probe);
  assert.match((await gone.whyCutOff(10)) ?? '', /offline.*127\.0\.0\.1/);
  gone.answered(9);
  assert.match((await gone.whyCutOff(10)) ?? '', /offline/, 'an earlier response proves nothing');
  gone.answered(11);
  assert.equal(await gone.whyCutOff(10), undefined, 'a service responded meanwhile');
  assert.equal(await new Connectivity(undefined).whyCutOff(10), undefined, 'no probe configured');
});
