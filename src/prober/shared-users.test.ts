import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ScenarioBody } from '../scenario/index.ts';
import { gate, named, success, withBench } from '../testing/broken-prober.ts';

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
    const first = await ask('/probe?target=one&module=fails', { timeoutS: 5 });
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

// By itself the call would end after 38 s.
