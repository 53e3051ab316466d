import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ScenarioBody } from '../scenario/index.ts';
import { gate, named, patient, success, withBench } from '../testing/broken-prober.ts';

test('two who ask for the same at the same time share one run, each within its own scrape timeout', async () => {
  const { opened, open } = gate();
  let runs = 0;
  const wait = async () => {
    runs++;
    await opened;
  };
  await withBench([named('one')], { wait }, async ({ ask, until }) => {
    const patientOne = ask('/probe?target=one&module=wait', { timeoutS: 100 });
    await until('sextant_prober_probes_running', 1);
    const cut = await ask('/probe?target=one&module=wait', { timeoutS: 0.2 });
    assert.deepEqual([cut.status, success(cut), cut.metric('sextant_probe_judged')], [200, undefined, 0]);
    assert.equal(cut.metric('sextant_verdict{verdict="skipped"}'), 1);
    open();
    assert.equal(success(await patientOne), 1);
    assert.equal(runs, 1);
    const own = await ask('/metrics');
    assert.equal(own.metric('sextant_prober_joined_total'), 1);
    assert.equal(own.metric('sextant_prober_probes_total{outcome="unjudged"}'), 1);
    assert.equal(own.metric('sextant_prober_probes_total{outcome="success"}'), 1);
    await ask('/probe?target=one&module=wait');
    assert.equal(runs, 2);
  });
});

test('a client that hangs up stops its run, which still cleans up, and its place is free again', async () => {
  const isClean = gate();
  const body: ScenarioBody = async ({ friends, defer }) => {
    defer(async () => isClean.open());
    await friends.listBlockers().succeeds();
  };
  await withBench([named('one', patient)], { hangs: body }, async ({ ask, until }) => {
    const hangUp = new AbortController();
    const asked = ask('/probe?target=one&module=hangs', { signal: hangUp.signal });
    await until('sextant_prober_probes_running', 1);
    hangUp.abort();
    await assert.rejects(asked);
    await isClean.opened;
    await until('sextant_prober_probes_running', 0);
    await until('sextant_prober_probes_total{outcome="abandoned"}', 1);
  });
});

test('a client that hangs up while its run waits leaves the queue', async () => {
  const { opened, open } = gate();
  await withBench([named('one')], { a: () => opened, b: () => opened }, async ({ ask, until }) => {
    const first = ask('/probe?target=one&module=a');
    await until('sextant_prober_probes_running', 1);
    const hangUp = new AbortController();
    const second = ask('/probe?target=one&module=b', { signal: hangUp.signal });
    await until('sextant_prober_probes_waiting', 1);
    hangUp.abort();
    await assert.rejects(second);
    await until('sextant_prober_probes_waiting', 0);
    await until('sextant_prober_probes_total{outcome="abandoned"}', 1);
    assert.equal((await ask('/metrics')).metric('sextant_prober_rejected_total'), 0);
    open();
    assert.equal(success(await first), 1);
  });
});

test('who joins a run keeps it when the first client hangs up', async () => {
  const { opened, open } = gate();
  await withBench([named('one')], { waits: () => opened }, async ({ ask, until }) => {
    const hangUp = new AbortController();
    const first = ask('/probe?target=one&module=waits', { signal: hangUp.signal });
    await until('sextant_prober_probes_running', 1);
    const second = ask('/probe?target=one&module=waits');
    await until('sextant_prober_joined_total', 1);
    hangUp.abort();
    await assert.rejects(first);
    await until('sextant_prober_probes_total{outcome="abandoned"}', 1);
    open();
    assert.equal(success(await second), 1);
  });
});
