import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import type { ScenarioBody } from '../../fixtures/index.ts';
import type { Environment } from '../environment/index.ts';
import { hangs, named, patient, proberOf, success } from '../testing/servers/broken-prober.ts';
import { outcomeOfProbe } from './prober.ts';

test('a service that never responds is unreachable before the scrape timeout, however long its calls may take', async () => {
  const { probe } = await proberOf(() => ({ hangs }), [named('one', patient)]);
  const answer = await probe('hangs', { timeoutS: 5 });
  assert.deepEqual([success(answer), answer.metric('sextant_verdict{verdict="unreachable"}')], [0, 1]);
});

test('more than the queue holds is refused with Retry-After, and what has no turn in time, too', async () => {
  const environments = [named('one'), named('two', { USER_ID: 'two' }), named('three', { USER_ID: 'three' })];
  const limits = { concurrency: 1, waiting: 1 };
  const { ask, open, probe, until } = await proberOf((opened) => ({ waits: () => opened }), environments, limits);
  const first = probe('waits');
  await until('sextant_prober_probes_running', 1);
  const second = ask('/probe?target=two&module=waits');
  await until('sextant_prober_probes_waiting', 1);
  const third = await ask('/probe?target=three&module=waits');
  assert.deepEqual([third.status, third.headers.get('retry-after')], [503, '5']);
  assert.match(third.text, /^Overloaded: 1 runs? .* 1 .*waiting/);
  const joined = await ask('/probe?target=two&module=waits', { timeoutS: 0.05 });
  assert.deepEqual([joined.status, joined.headers.get('retry-after')], [503, '5']);
  assert.equal((await ask('/metrics')).metric('sextant_prober_rejected_total'), 2);
  open();
  assert.deepEqual((await Promise.all([first, second])).map(success), [1, 1]);
});

test('whoever has a place in the queue has a connection, and beside them those who ask how the prober is', async (t) => {
  const { url, ask } = await proberOf(() => ({}), [named('one')], { concurrency: 1, waiting: 600 });
  const { hostname, port } = new URL(url);
  const asking = Array.from({ length: 602 }, () => connect(Number(port), hostname).on('error', () => {}));
  t.after(() => asking.map((socket) => socket.destroy()));
  await Promise.all(asking.map((socket) => once(socket, 'connect')));
  assert.equal((await ask('/readyz')).status, 200);
});

test('a prober that stops finishes what runs, and refuses what waits or comes', async () => {
  const { ask, open, probe, until, stop } = await proberOf((opened) => ({
    waits: [() => opened, '@friends', '@reversible'],
    b: [() => opened, '@friends', '@reversible'],
  }));
  const running = probe('waits');
  await until('sextant_prober_probes_running', 1);
  const waiting = probe('b');
  await until('sextant_prober_probes_waiting', 1);
  const stopped = stop();
  assert.equal((await waiting).status, 503);
  assert.deepEqual([(await ask('/readyz')).status, (await ask('/healthz')).status], [503, 200]);
  const late = await probe('waits', { timeoutS: 0.05 });
  assert.ok(late.status === 503 || late.metric('sextant_probe_judged') === 0, late.text);
  assert.equal((await probe('b')).status, 503);
  open();
  assert.equal(success(await running), 1);
  await stopped;
  await assert.rejects(ask('/readyz'));
});

test('a run that doesn’t end is stopped when the prober has waited long enough, and is cleaned up', async () => {
  let isClean = false;
  const body: ScenarioBody = async ({ friends, defer }) => {
    defer(async () => {
      isClean = true;
    });
    await friends.listBlockers().succeeds();
  };
  const { probe, until, stop } = await proberOf(() => ({ hangs: body }), [named('one', patient)]);
  const running = probe('hangs');
  await until('sextant_prober_probes_running', 1);
  await stop(10);
  assert.equal((await running).metric('sextant_probe_judged'), 0);
  assert.ok(isClean);
});

test('a changed environment is used by the next probe, also while a run with the old one is under way', async () => {
  const seen: string[] = [];
  const bodies = (opened: Promise<void>): Record<string, ScenarioBody> => ({
    notes: async ({ world }) => {
      seen.push((world as unknown as { environment: Environment }).environment.caller.userId);
      if (seen.length === 1) await opened;
    },
  });
  const { ask, open, probe, until, served, look, said } = await proberOf(bodies, [named('one', { USER_ID: 'old' })]);
  const first = probe('notes');
  await until('sextant_prober_probes_running', 1);
  served.set('one', { state: 'ready', environment: named('one', { USER_ID: 'new' }) });
  await look();
  assert.equal(success(await probe('notes')), 1);
  open();
  assert.equal(success(await first), 1);
  assert.deepEqual(seen, ['old', 'new']);
  served.set('one', { state: 'broken', reason: 'STORY_URL is missing' });
  await look();
  assert.equal((await probe('notes')).status, 500);
  assert.equal(JSON.parse((await ask('/targets')).text).length, 1);
  served.delete('one');
  served.set('two', { state: 'broken', reason: 'STORY_URL is missing' });
  await look();
  assert.equal((await probe('notes')).status, 400);
  assert.deepEqual(said, [
    'one: its files have changed; the next probe uses them',
    "one: its files have changed; they can't be used. STORY_URL is missing",
    "two: its files are new; they can't be used. STORY_URL is missing",
    'one: no longer served.',
  ]);
});

test('what uses up data runs once an interval, and once more after a failure', async (t) => {
  let runs = 0;
  let isBroken = false;
  const body: ScenarioBody = async ({ friends, friend }) => {
    runs++;
    if (isBroken) await friends.block({ friendId: friend.id }).succeeds();
  };
  const { ask, served, look } = await proberOf(() => ({ rare: [body, '@friends', '@irreversible'] }));
  const probe = () => ask('/probe?target=one&module=rare&debug=true');
  assert.equal(success(await probe()), 1);
  const again = await probe();
  assert.equal(success(again), 1);
  assert.match(again.text, /warning: the result of \S+Z: the scenario uses up data, so it runs every 3600 s at most/);
  assert.equal(runs, 1);
  // Sets the clock back by a day, so that the time of the earlier result lies in the future. Even so, the next probe must run the scenario
  // again.
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() - 86_400_000 });
  assert.equal(success(await probe()), 1);
  assert.equal(runs, 2);
  t.mock.timers.reset();
  served.set('one', { state: 'ready', environment: named('one') });
  await look();
  isBroken = true;
  for (const expected of [3, 4, 4, 4]) {
    assert.equal(success(await probe()), 0);
    assert.equal(runs, expected);
  }
});

type Results = Parameters<typeof outcomeOfProbe>[0];
const of = (...verdicts: Results[number]['verdict'][]) => verdicts.map((verdict) => ({ verdict }));
const drift = { sentence: 'x', evidence: 'x', asked: [], breaks: false };
const merely = {
  verdict: 'drifted',
  failures: [{ verdict: 'drifted', category: 'drifted', reason: 'x', drift }],
} as const;
const unreached = { verdict: 'skipped', unreached: 'cut short' } as const;

const rows: [title: string, results: Results, outcome: ReturnType<typeof outcomeOfProbe>][] = [
  ['passed', of('passed'), { verdict: 'passed', success: true }],
  ['slow', of('slow'), { verdict: 'slow', success: true }],
  ['drifted', of('drifted'), { verdict: 'drifted', success: false }],
  ['merely drifted', [merely], { verdict: 'drifted', success: true }],
  ['failed', of('failed'), { verdict: 'failed', success: false }],
  ['refused', of('refused'), { verdict: 'refused', success: false }],
  ['unreachable', of('unreachable'), { verdict: 'unreachable', success: false }],
  ['unknown', of('unknown'), { verdict: 'unknown' }],
  ['skipped', of('skipped'), { verdict: 'skipped' }],
  ['out of time', [unreached], { verdict: 'skipped' }],
  ['all passed', of('passed', 'passed'), { verdict: 'passed', success: true }],
  ['one slow', of('passed', 'slow'), { verdict: 'slow', success: true }],
  ['one lacks data', of('passed', 'skipped'), { verdict: 'passed', success: true }],
  ['all lack data', of('skipped', 'skipped'), { verdict: 'unknown' }],
  ['one unknown', of('passed', 'unknown'), { verdict: 'unknown' }],
  ['one merely drifted, one unknown', [merely, ...of('unknown')], { verdict: 'unknown' }],
  ['one out of time', [...of('passed'), unreached], { verdict: 'unknown' }],
  ['one failed, one out of time', [...of('failed'), unreached], { verdict: 'failed', success: false }],
  ['one failed, one unknown', of('unknown', 'failed'), { verdict: 'failed', success: false }],
  ['refused and drifted', of('refused', 'drifted'), { verdict: 'refused', success: false }],
  ['nothing at all', [], { verdict: 'unknown' }],
];

for (const [title, results, outcome] of rows)
  test(`${title}: ${outcome.success ?? 'not judged'}, ${outcome.verdict}`, () => {
    assert.deepEqual(outcomeOfProbe(results), outcome);
  });
