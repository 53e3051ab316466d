import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { test } from 'node:test';
import { fakeResult } from '../../testing/monitor/fakes.ts';
import { listening } from '../../testing/servers/listening.ts';
import type { Verdict } from '../../verdict/index.ts';
import { connectivityOf, runProbe } from './run-probe.ts';

interface Case {
  readonly isKnownDown?: boolean;
  readonly sleepsIn?: number;
  readonly cutOff?: boolean;
  readonly ends?: boolean;
  /** Duration of each attempt, in s. */
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
  const probed = await runProbe({
    attempt: async () => {
      if (made === sleepsIn) pauses++;
      clock += takes * 1_000;
      const verdict = attempts[made++] as Verdict | 'left';
      return verdict === 'left' ? undefined : fakeResult(verdict, 0);
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
  const verdicts = probed ? `${probed.first.verdict}, ${probed.second?.verdict ?? '-'}` : 'nothing';
  return `${verdicts}${waits.length > 0 ? ` after ${waits.join(' ')}` : ''}`;
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
  ['long attempts follow at once', 'failed failed failed failed', 'failed, failed after 3', { takes: 20 }],
  ['one that proves nothing in between', 'failed unknown failed failed', 'failed, failed after 3 3 3'],
  ['known to be down', 'failed', 'failed, -', { isKnownDown: true }],
  ['suspended during the first', 'unreachable', 'unknown, -', { sleepsIn: 0 }],
  ['suspended in the last', 'failed failed failed unreachable', 'failed, failed after 3 3 3', { sleepsIn: 3 }],
  ['red, and then nothing that proves anything', 'failed unknown skipped unknown', 'failed, - after 3 3 3'],
  ['unreachable, and then suspended', 'unreachable unknown unknown unknown', 'unreachable, unknown after 3 3 3'],
  ['suspended, but passed', 'passed', 'passed, -', { sleepsIn: 0 }],
  ['offline', 'unreachable', 'unknown, -', { cutOff: true }],
  ['a wrong response: we are online', 'failed failed failed failed', 'failed, failed after 3 3 3', { cutOff: true }],
  ['cut short, because its area hangs', 'left', 'nothing'],
  ['left to another scenario to confirm', 'unreachable left', 'nothing after 3'],
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
