import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ScenarioBody } from '../../fixtures/index.ts';
import { named, optionsHang, patient, proberOf, success } from '../testing/servers/broken-prober.ts';
import { places } from './concurrency-limit.ts';
import { ProbeRun } from './probe-run.ts';

test('two who ask for the same at the same time share one run, each within its own scrape timeout', async () => {
  let runs = 0;
  const { ask, open, probe, until } = await proberOf((opened) => ({
    wait: () => {
      runs++;
      return opened;
    },
  }));
  const patientOne = probe('wait', { timeoutS: 100 });
  await until('sextant_prober_probes_running', 1);
  const cut = await probe('wait', { timeoutS: 0.2 });
  assert.deepEqual([cut.status, success(cut), cut.metric('sextant_probe_judged')], [200, undefined, 0]);
  assert.equal(cut.metric('sextant_verdict{verdict="skipped"}'), 1);
  open();
  assert.equal(success(await patientOne), 1);
  assert.equal(runs, 1);
  const own = await ask('/metrics');
  assert.equal(own.metric('sextant_prober_joined_total'), 1);
  assert.equal(own.metric('sextant_prober_probes_total{outcome="unjudged"}'), 1);
  assert.equal(own.metric('sextant_prober_probes_total{outcome="success"}'), 1);
  await probe('wait');
  assert.equal(runs, 2);
});

test('a run is stopped while there is time left to clean up', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const asked = { key: '', environment: named('one'), scenarios: [], limitMs: 10_000 };
  const run = new ProbeRun(asked, () => new Promise(() => {}));
  const isStopped = [5_000, 4_000].map((ms) => {
    t.mock.timers.tick(ms);
    return run.signal.aborted;
  });
  assert.deepEqual(isStopped, [false, true]);
});

test('a client that hangs up stops its run, which still cleans up, or leaves the queue; its place is free again', async () => {
  const cleaning = Promise.withResolvers<void>();
  const body: ScenarioBody = async ({ friends, defer }) => {
    defer(async () => cleaning.resolve());
    await friends.listBlockers().succeeds();
  };
  const { ask, probe, until } = await proberOf(() => {
    const changing = [body, '@friends', '@reversible'] as const;
    return { hangs: changing, other: changing };
  }, [named('one', patient)]);
  const [first, second] = [new AbortController(), new AbortController()];
  const runs = probe('hangs', { signal: first.signal });
  await until('sextant_prober_probes_running', 1);
  const waits = probe('other', { signal: second.signal });
  await until('sextant_prober_probes_waiting', 1);
  second.abort();
  await assert.rejects(waits);
  await until('sextant_prober_probes_waiting', 0);
  first.abort();
  await assert.rejects(runs);
  await cleaning.promise;
  await until('sextant_prober_probes_running', 0);
  await until('sextant_prober_probes_total{outcome="abandoned"}', 2);
  assert.equal((await ask('/metrics')).metric('sextant_prober_rejected_total'), 0);
});

test('who joins a run keeps it when the first client hangs up', async () => {
  const { open, probe, until } = await proberOf((opened) => ({ waits: () => opened }));
  const hangUp = new AbortController();
  const first = probe('waits', { signal: hangUp.signal });
  await until('sextant_prober_probes_running', 1);
  const second = probe('waits');
  await until('sextant_prober_joined_total', 1);
  hangUp.abort();
  await assert.rejects(first);
  await until('sextant_prober_probes_total{outcome="abandoned"}', 1);
  open();
  assert.equal(success(await second), 1);
});

test('a failure is reported in time though its clean-up takes longer, and the next run of the users waits for it', async () => {
  const log: string[] = [];
  const fails =
    (opened: Promise<void>): ScenarioBody =>
    async ({ friends, friend, defer }) => {
      log.push('begins');
      defer(async () => {
        await opened;
        log.push('is clean');
      });
      await friends.block({ friendId: friend.id }).succeeds();
    };
  const { open, probe, until } = await proberOf((opened) => ({ fails: [fails(opened), '@friends', '@reversible'] }));
  const first = await probe('fails', { timeoutS: 5 });
  assert.deepEqual([success(first), first.metric('probe_http_status_code')], [0, 500]);
  assert.deepEqual(log, ['begins']);
  const second = probe('fails', { timeoutS: 100 });
  await until('sextant_prober_probes_waiting', 1);
  assert.deepEqual(log, ['begins']);
  open();
  assert.equal(success(await second), 0);
  assert.deepEqual(log, ['begins', 'is clean', 'begins', 'is clean']);
});

test('scenarios that share users never run at once, under whatever name of the environment; others do', async () => {
  let most = 0;
  let now = 0;
  const body = async () => {
    most = Math.max(most, ++now);
    await new Promise((resolve) => setTimeout(resolve, 20));
    now--;
  };
  const tags = ['@friends', '@reversible'] as const;
  const bodies = { a: [body, ...tags], b: [body, ...tags], c: [body, '@stories', '@reversible'] } as const;
  const ones = [named('one'), named('alias')];
  const shared = await proberOf(() => bodies, ones);
  const paths = ['one&module=a', 'one&module=b', 'one&module=c', 'alias&module=a', 'alias'];
  const answers = await Promise.all(paths.map((path) => shared.ask(`/probe?target=${path}`)));
  assert.deepEqual(answers.map(success), [1, 1, 1, 1, 1]);
  assert.equal(most, 1);
  const { ask } = await proberOf(() => bodies, [...ones, named('two', { USER_ID: 'somebody-else' })]);
  await Promise.all(['one', 'two', 'alias'].map((name) => ask(`/probe?target=${name}&module=a`)));
  assert.equal(most, 2);
});

for (const [title, [stories, profile, friends], allowed, running] of [
  ['areas that do not affect each other', ['@reversible', '@overwriting', '@reversible'], {}, 2],
  ['scenarios that only read', ['@read', '@read', '@read'], { ALLOWED_EFFECTS: 'read' }, 3],
] as const)
  test(`runs of ${title} share the users at once`, async () => {
    const bodies = (opened: Promise<void>) => ({
      a: [() => opened, '@stories', stories] as const,
      b: [() => opened, '@profile', profile] as const,
      c: [() => opened, '@friends', friends] as const,
    });
    const { open, probe, until } = await proberOf(bodies, [named('one', allowed)]);
    const asked = ['a', 'b', 'c'].map((name) => probe(name));
    await until('sextant_prober_probes_running', running);
    await until('sextant_prober_probes_waiting', 3 - running);
    open();
    assert.deepEqual((await Promise.all(asked)).map(success), [1, 1, 1]);
  });

test('who waits for its turn while an address is found to be silent is told so, in its time', async () => {
  const names = ['a', 'b', 'c', 'd'];
  const { probe } = await proberOf(
    () => Object.fromEntries(names.map((name) => [name, [optionsHang, '@stories', '@reversible']])),
    [named('one', patient)],
  );
  // The probe may take 10 s. Four calls in a row would take 30 % longer than that, if each took the longest time for a call.
  const answers = await Promise.all(names.map((name) => probe(name, { timeoutS: 10 })));
  const verdict = ({ metric }: (typeof answers)[number]) => metric('sextant_verdict{verdict="unreachable"}');
  assert.deepEqual(answers.map(verdict), [1, 1, 1, 1]);
});

test('who waits for the users takes no place', async () => {
  const changing = ['@friends', '@reversible'] as const;
  const { open, probe, until } = await proberOf(
    (opened) => ({ a: [() => opened, ...changing], b: [() => opened, ...changing], reads: async () => {} }),
    [named('one')],
    { concurrency: 2 },
  );
  const first = probe('a');
  await until('sextant_prober_probes_running', 1);
  const second = probe('b');
  await until('sextant_prober_probes_waiting', 1);
  assert.equal(success(await probe('reads')), 1);
  open();
  assert.deepEqual((await Promise.all([first, second])).map(success), [1, 1]);
});

test('as many run as may, in the order of their arrival; who gives up leaves the line', async () => {
  const enter = places(2);
  const entered: string[] = [];
  const leaves = new Map<string, () => void>();
  const givesUp = new AbortController();
  for (const name of ['ada', 'ben', 'cleo', 'dan', 'eve'])
    enter(name === 'cleo' ? givesUp.signal : new AbortController().signal).then(
      (leave) => {
        entered.push(name);
        leaves.set(name, leave);
      },
      () => {},
    );
  const entries: string[] = [];
  for (const step of [() => {}, () => givesUp.abort(), () => leaves.get('ben')?.(), () => leaves.get('ada')?.()]) {
    step();
    await new Promise(setImmediate);
    entries.push(entered.join(' '));
  }
  assert.deepEqual(entries, ['ada ben', 'ada ben', 'ada ben dan', 'ada ben dan eve']);
});
