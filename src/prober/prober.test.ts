import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import type { Environment } from '../config/index.ts';
import type { ScenarioBody } from '../scenario/index.ts';
import { type Answer, type ProberBench, scenarioOf, startProberBench } from '../testing/prober-bench.ts';
import { testEnvironment } from '../testing/test-environment.ts';

/** Responds with 500, or not at all to a list. */
const broken = createServer(({ url = '' }, response) => {
  if (!url.includes('/block/')) response.writeHead(500).end();
});
broken.listen({ host: '127.0.0.1', port: 0 });
await once(broken, 'listening');
const address = () => `http://127.0.0.1:${(broken.address() as AddressInfo).port}`;
after(() => {
  broken.closeAllConnections();
  broken.close();
});

const named = (name: string, rest: Parameters<typeof testEnvironment>[1] = {}): Environment => ({
  ...testEnvironment(address(), rest),
  name,
});
/** Longer than any test. */
const patient = { REQUEST_TIMEOUT_MS: 600_000 };
const success = ({ metric }: Answer) => metric('probe_success');

interface Gate {
  readonly opened: Promise<void>;
  open(): void;
}

function gate(): Gate {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { opened: promise, open: resolve };
}

async function withBench(
  environments: readonly Environment[],
  bodies: Readonly<Record<string, ScenarioBody | readonly [ScenarioBody, ...string[]]>>,
  work: (bench: ProberBench) => Promise<void>,
  limits = {},
): Promise<void> {
  const all = Object.entries(bodies).map(([title, body]) =>
    typeof body === 'function' ? scenarioOf(title, body) : scenarioOf(title, ...(body as [ScenarioBody, ...string[]])),
  );
  const bench = await startProberBench(environments, all, limits);
  try {
    await work(bench);
  } finally {
    await bench.stop(0);
  }
}

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

test('a failure is reported in time though its clean-up takes longer, and the next run of the users waits for it', async () => {
  const { opened, open } = gate();
  const log: string[] = [];
  const fails: ScenarioBody = async ({ friends, friend, defer }) => {
    log.push('begins');
    defer(async () => {
      await opened;
      log.push('is clean');
    });
    await friends.block({ friendId: friend.id }).succeeds();
  };
  await withBench([named('one')], { fails: [fails, '@friends', '@reversible'] }, async ({ ask, until }) => {
    const first = await ask('/probe?target=one&module=fails', { timeoutS: 0.5 });
    assert.deepEqual([success(first), first.metric('probe_http_status_code')], [0, 500]);
    assert.deepEqual(log, ['begins']);
    const second = ask('/probe?target=one&module=fails', { timeoutS: 100 });
    await until('sextant_prober_probes_waiting', 1);
    assert.deepEqual(log, ['begins']);
    open();
    assert.equal(success(await second), 0);
    assert.deepEqual(log, ['begins', 'is clean', 'begins', 'is clean']);
  });
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
  await withBench(ones, bodies, async ({ ask }) => {
    const paths = ['one&module=a', 'one&module=b', 'one&module=c', 'alias&module=a', 'alias'];
    const answers = await Promise.all(paths.map((path) => ask(`/probe?target=${path}`)));
    assert.deepEqual(answers.map(success), [1, 1, 1, 1, 1]);
    assert.equal(most, 1);
  });
  await withBench([...ones, named('two', { USER_ID: 'somebody-else' })], bodies, async ({ ask }) => {
    await Promise.all(['one', 'two', 'alias'].map((name) => ask(`/probe?target=${name}&module=a`)));
    assert.equal(most, 2);
  });
});

test('runs that only read share the users at once', async () => {
  const { opened, open } = gate();
  const body = () => opened;
  await withBench([named('one', { ALLOWED_EFFECTS: 'read' })], { a: body, b: body }, async ({ ask, until }) => {
    const both = [ask('/probe?target=one&module=a'), ask('/probe?target=one&module=b')];
    await until('sextant_prober_probes_running', 2);
    open();
    assert.deepEqual((await Promise.all(both)).map(success), [1, 1]);
  });
});

test('a client that hangs up stops its run, which still cleans up, and its place is free again', async () => {
  const isClean = gate();
  const body: ScenarioBody = async ({ friends, defer }) => {
    defer(async () => isClean.open());
    await friends.listBlocked().succeeds();
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

test('a service that never responds is unreachable before the scrape timeout, however long its calls may take', async () => {
  const body: ScenarioBody = ({ friends }) =>
    friends
      .listBlocked()
      .succeeds()
      .then(() => {});
  await withBench([named('one', patient)], { hangs: body }, async ({ ask }) => {
    const answer = await ask('/probe?target=one&module=hangs', { timeoutS: 2 });
    assert.deepEqual([success(answer), answer.metric('sextant_verdict{verdict="unreachable"}')], [0, 1]);
  });
});

test('more than the queue holds is refused with Retry-After, and what has no turn in time, too', async () => {
  const { opened, open } = gate();
  const body = () => opened;
  const environments = [named('one'), named('two', { USER_ID: 'two' }), named('three', { USER_ID: 'three' })];
  const work = async ({ ask, until }: ProberBench) => {
    const first = ask('/probe?target=one&module=waits');
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
  };
  await withBench(environments, { waits: body }, work, { concurrency: 1, waiting: 1 });
});

test('a prober that stops finishes what runs, and refuses what waits or comes', async () => {
  const { opened, open } = gate();
  const { ask, until, stop } = await startProberBench(
    [named('one')],
    [scenarioOf('waits', () => opened), scenarioOf('b', () => opened)],
  );
  const running = ask('/probe?target=one&module=waits');
  await until('sextant_prober_probes_running', 1);
  const waiting = ask('/probe?target=one&module=b');
  await until('sextant_prober_probes_waiting', 1);
  const stopped = stop();
  assert.equal((await waiting).status, 503);
  assert.deepEqual([(await ask('/readyz')).status, (await ask('/healthz')).status], [503, 200]);
  const late = await ask('/probe?target=one&module=waits', { timeoutS: 0.05 });
  assert.ok(late.status === 503 || late.metric('sextant_probe_judged') === 0, late.text);
  assert.equal((await ask('/probe?target=one&module=b')).status, 503);
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
    await friends.listBlocked().succeeds();
  };
  const { ask, until, stop } = await startProberBench([named('one', patient)], [scenarioOf('hangs', body)]);
  const running = ask('/probe?target=one&module=hangs');
  await until('sextant_prober_probes_running', 1);
  await stop(10);
  assert.equal((await running).metric('sextant_probe_judged'), 0);
  assert.ok(isClean);
});

test('a changed environment is used by the next probe, also while a run with the old one is under way', async () => {
  const { opened, open } = gate();
  const seen: string[] = [];
  const body: ScenarioBody = async ({ world }) => {
    seen.push((world as unknown as { environment: Environment }).environment.caller.userId);
    if (seen.length === 1) await opened;
  };
  await withBench([named('one', { USER_ID: 'old' })], { notes: body }, async ({ ask, until, served, look, said }) => {
    const first = ask('/probe?target=one&module=notes');
    await until('sextant_prober_probes_running', 1);
    served.set('one', { state: 'ready', environment: named('one', { USER_ID: 'new' }) });
    await look();
    assert.equal(success(await ask('/probe?target=one&module=notes')), 1);
    open();
    assert.equal(success(await first), 1);
    assert.deepEqual(seen, ['old', 'new']);
    served.set('one', { state: 'broken', reason: 'STORY_URL is missing' });
    await look();
    assert.equal((await ask('/probe?target=one&module=notes')).status, 500);
    assert.equal(JSON.parse((await ask('/targets')).text).length, 1);
    served.delete('one');
    await look();
    assert.equal((await ask('/probe?target=one&module=notes')).status, 400);
    assert.deepEqual(said, [
      'one: its files have changed; the next probe uses the new ones.',
      "one: its files have changed, and can't be used. STORY_URL is missing",
      'one: no longer served.',
    ]);
  });
});

test('what uses up data runs once an interval, and once more after a failure', async () => {
  let runs = 0;
  let isBroken = false;
  const body: ScenarioBody = async ({ friends, friend }) => {
    runs++;
    if (isBroken) await friends.block({ friendId: friend.id }).succeeds();
  };
  const rare = [body, '@friends', '@irreversible'] as const;
  await withBench([named('one')], { rare }, async ({ ask, served, look }) => {
    const probe = () => ask('/probe?target=one&module=rare&debug=true');
    assert.equal(success(await probe()), 1);
    const again = await probe();
    assert.equal(success(again), 1);
    assert.match(again.text, /warning: the result of \S+Z: it runs every 3600 s at most, to spare data/);
    assert.equal(runs, 1);
    served.set('one', { state: 'ready', environment: named('one') });
    await look();
    isBroken = true;
    for (const expected of [2, 3, 3, 3]) {
      assert.equal(success(await probe()), 0);
      assert.equal(runs, expected);
    }
  });
});
