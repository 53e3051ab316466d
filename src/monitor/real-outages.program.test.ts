import assert from 'node:assert/strict';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { type Fault, seeded, startService } from '../../reference-service/index.ts';
import type { Environment } from '../environment/index.ts';
import type { Scenario } from '../run/index.ts';
import { takeUsers } from '../safety/index.ts';
import { type AreaId, areaIds } from '../service/index.ts';
import { scenarioOf } from '../testing/made-scenario.ts';
import { monitoredTitles, runMonitor, start, titled, until } from '../testing/monitor/watched-service.ts';
import { freePortsInARow } from '../testing/programs/run-command.ts';
import { fetchOnce, http, listening } from '../testing/servers/listening.ts';
import { forwardTo } from '../testing/servers/wire-proxy.ts';
import { embeddedEnvironment } from '../testing/test-environment.ts';
import { channelTypes } from './alerting/channels/registry.ts';
import type { Notice } from './alerting/notice.ts';
import { addNotice } from './history/outbox.ts';
import { systemClock } from './schedule/clock.ts';
import type { Settings } from './settings/load.ts';

const EVERY_MS = 400;

type Hooks = Omit<Fault, 'name' | 'operation'>;

/** The same fault for each of these operations; without operations, one fault for all operations. */
const fault = (hooks: Hooks, ...operations: readonly string[]): Fault[] =>
  (operations.length > 0 ? operations : ['all']).map((operation) => ({
    name: `made for ${operation}`,
    operation: operation as Fault['operation'],
    ...hooks,
  }));

/** A fault that doesn't change any response. It only adds the operation of each request to `asked`. */
const counting = (asked: string[]): Fault[] =>
  fault({
    arrive:
      () =>
      ({ operation }) =>
        void asked.push(operation),
  });

/** The kind and headline of each notice, without durations. */
const linesOf = (notices: readonly Notice[]) =>
  notices.map(({ kind, headline }) => `${kind}: ${headline.replace(/ after [^)]*$/, '')}`);

const answers = (status: number): Hooks => ({ respond: () => (response) => ({ ...response, status }) });

/**
 * The service refuses the credential in every request, and adds each refusal to `refusals`. With `after`, the name of an operation, the
 * service begins to refuse only after its first response to this operation.
 */
const refuses = (secret: string, refusals: { operation: string; at: number }[] = [], after?: string): Hooks => {
  let isExpired = after === undefined;
  return {
    respond:
      () =>
      (response, { headers, operation }) => {
        const isRefused = isExpired && Object.values(headers).some((value) => value?.includes(secret));
        isExpired ||= operation === after;
        if (!isRefused) return response;
        refusals.push({ operation, at: Date.now() });
        return { ...response, status: 401 };
      },
  };
};

interface Watching {
  readonly titles?: readonly string[];
  readonly own?: readonly Scenario[];
  readonly changes?: Partial<Environment>;
  readonly channels?: Settings['channels'];
  readonly port?: number;
}

/**
 * Starts a real monitor of a service, and waits until all scenarios are up. `headlines` returns the monitor's notices without durations, and
 * `asked` lists the operations that the service received.
 */
async function watched(t: TestContext, { titles = [], own = [], changes = {}, channels, port = 0 }: Watching = {}) {
  const more = { everyMs: EVERY_MS, ...(channels ? { channels } : {}) };
  const all = await start(t, more, port, [...own, ...(await titled(titles))], changes);
  await until(async () => /^All \d+ scenarios up$/.test((await all.status()).status.description));
  const headlines = () => linesOf(all.notices());
  const asked: string[] = [];
  const breaks = (...faults: readonly Fault[]) => all.service.faults.set(...counting(asked), ...faults);
  const { incidents, scenarios } = all.running.monitor.recorder;
  const open = () => incidents.open.reduce((sum, one) => sum + one.open.length, 0);
  return { ...all, headlines, asked, breaks, open, incidents, scenarios };
}

/**
 * Regular expressions for the paths of the monitored areas, and of the areas that the monitor tries to find out how far a failure reaches.
 */
const gatewayPaths: Partial<Record<AreaId, RegExp>> = {
  friends: /friends/,
  stories: /stories|reports/,
  profile: /profile/,
  features: /feature/,
};

/**
 * Without a provisioner, all scenarios use the users in the environment's file. So the refusal of a credential affects all of these
 * scenarios.
 */
const fixedUsers = { provisionUrl: undefined } as unknown as Partial<Environment>;

for (const [what, faults, expected, watching = {}] of [
  [
    'every operation of an address answers 503: one notice, which names the area, and one of its end',
    fault(answers(503), 'block', 'unblock', 'listBlocked', 'listBlockers'),
    ['down: made: Friends answers 503', 'up: made: Friends works again'],
  ],
  [
    'one operation answers 503: its name; another operation of the same address that does is another cause',
    fault(answers(503), 'unblock'),
    ['down: made: Friends: unblock answers 503 (1 scenario)'],
  ],
  [
    "a friend's token that is refused is named",
    fault(refuses(seeded.friend.accessToken)),
    ['down: made: FRIEND_ACCESS_TOKEN is refused (401) in Friends'],
    { titles: ['who blocked me'], changes: fixedUsers },
  ],
  [
    'a friend who is taken for another user is what is named, and not the list',
    fault(
      {
        handle: (original) => (visit) => {
          const isFriend = visit.userId === seeded.friend.userId;
          return original({ ...visit, userId: isFriend ? 'user-eve' : visit.userId });
        },
      },
      'block',
      'unblock',
      'listBlocked',
      'listBlockers',
    ),
    [
      "down: made: the service takes the friend's requests for those of user-eve; check FRIEND_ACCESS_TOKEN (1 scenario)",
    ],
    { titles: ['two users have separate lists'], changes: fixedUsers },
  ],
  [
    'an unblock that is accepted and does nothing is what is named',
    fault({ handle: () => () => ({ status: 200, body: {} }) }, 'unblock'),
    ['down: made: Friends: unblock is accepted and never shows in listBlocked (1 scenario)'],
  ],
] as const)
  test(what, async (t) => {
    const { breaks, headlines, people, incidents, running } = await watched(t, watching);
    // Hold the users' lock while the fault begins, so that no scenario is in the middle of a run. Such a run would see only a part of the
    // fault, and could not undo its earlier changes.
    const release = await takeUsers(running.monitor.environments[0] ?? assert.fail(), { say: assert.fail });
    breaks(...faults);
    release();
    await people.until(1);
    assert.equal(incidents.all[0]?.cause.isOpen, undefined, 'the rest of the address was asked');
    breaks();
    await people.until(expected.length);
    assert.deepEqual(headlines().slice(0, expected.length), expected);
  });

for (const [what, hooks, changes, down, up] of [
  ['answers 503', answers(503), {}, '4 areas answer 503', '4 areas work again'],
  [
    'accepts connections and is silent',
    { arrive: () => () => 'taken' as const },
    { requestTimeoutMs: 300 },
    "4 areas don't respond (timed out after 0.3 s)",
    '4 areas respond again',
  ],
  [
    'refuses connections',
    undefined,
    {},
    "127.0.0.1 can't be reached: connection refused",
    '127.0.0.1 can be reached again',
  ],
] as const)
  test(`the whole host ${what}: one down, no more, one up, one incident`, async (t) => {
    const port = await freePortsInARow();
    const { breaks, headlines, people, open, incidents, status, running, stopService } = await watched(t, {
      changes,
      port,
    });
    if (hooks) breaks(...fault(hooks));
    else await stopService();
    await people.until(1);
    await until(() => open() === 3);
    await until(async () => (await status()).status.indicator === 'critical');
    assert.equal((await fetchOnce(new URL('/healthz', running.url))).status, 200, 'the monitor itself is healthy');
    await wait(2 * EVERY_MS);
    breaks();
    const again = hooks ? undefined : await startService({ port });
    t.after(() => again?.stop());
    await people.until(2);
    // To find out how far a failure reaches, the monitor sends only operations that read, and only four areas have an operation that reads.
    // So the notice names these areas.
    assert.deepEqual(headlines(), [`down: made: ${down}`, `up: made: ${up}`]);
    assert.equal(incidents.all.length, 1);
  });

test('one area of an address that several share is silent: the notice names the area', async (t) => {
  const port = await freePortsInARow();
  let isSilent = false;
  // A gateway in front of the service: every area has the same address.
  const gateway = await listening(
    http.createServer(async (incoming, response) => {
      const { method = 'GET', url: path = '/', headers } = incoming;
      const area = areaIds.findIndex((id) => gatewayPaths[id]?.test(path));
      const asked = { method, path, headers: headers as Record<string, string>, body: await text(incoming) };
      // At the end of the test, the service stops before the gateway. So the gateway may be unable to forward a request.
      const forwarded = await forwardTo(`http://127.0.0.1:${port + area}`, asked).catch(() => undefined);
      if (!forwarded) return void response.destroy();
      const { status, type, body } = forwarded;
      if (isSilent && areaIds[area] === 'stories') return;
      response.writeHead(status, type ? { 'content-type': type } : {}).end(body);
    }),
  );
  t.after(() => gateway.stop());
  const addresses = Object.fromEntries(
    areaIds.map((id) => [id, new URL(`${gateway.url}/`)]),
  ) as Environment['addresses'];
  const { headlines, people } = await watched(t, { changes: { addresses, requestTimeoutMs: 1_000 }, port });
  isSilent = true;
  await people.until(1);
  assert.deepEqual(headlines(), ["down: made: Stories doesn't respond (timed out after 1 s)"]);
});

/** This scenario only reads, so it occupies no users. The monitor therefore uses it to confirm that its area hangs. */
const optionsAreRead = scenarioOf(
  'options are read',
  async ({ call, sample }) => {
    await call('reportOptions', await sample('reportOptions')).succeeds();
  },
  '@stories',
  '@read',
);

const ofFriends = ['block', 'unblock', 'listBlocked', 'listBlockers'];

for (const own of [[], [optionsAreRead]])
  test(`Stories hangs${own.length > 0 ? ', and has a scenario that only reads' : ''}; Friends answers 503 soon after: its failure is confirmed before that of Stories`, async (t) => {
    const titles = ['two users love one story', 'any order of loves and unloves is done'];
    const changes = { ...fixedUsers, requestTimeoutMs: 2_000 };
    const { breaks, asked, headlines, people, incidents, scenarios } = await watched(t, { titles, own, changes });
    const hanging = fault({ arrive: () => () => 'taken' as const }, 'love', 'unlove', 'reportOptions');
    breaks(...hanging);
    await until(() => asked.includes('love'));
    asked.length = 0;
    breaks(...hanging, ...fault(answers(503), ...ofFriends));
    await people.until(2);
    // Friends has a single scenario, which the monitor attempts four times. Until the fourth attempt, at most two attempts in Stories may
    // run, because each occupies the users until the deadline of a call.
    const [, , , fourth = assert.fail()] = asked.flatMap((operation, index) => (operation === 'block' ? index : []));
    const waits = asked.slice(0, fourth).filter((operation) => operation === 'love').length;
    assert.ok(waits <= 2, asked.join(' '));
    assert.deepEqual(headlines().sort(), [
      'down: made: Friends answers 503',
      "down: made: Stories doesn't respond (timed out after 2 s)",
    ]);
    const inStories = incidents.all.flatMap(({ hits }) => hits).filter(({ area }) => area === 'stories');
    assert.equal(inStories.length, 1, 'one scenario confirms it, and the others are not counted');
    if (own.length > 0) assert.equal(inStories[0]?.scenario.title, optionsAreRead.title);
    breaks();
    await people.until(4);
    assert.deepEqual(headlines().slice(2).sort(), [
      'up: made: Friends works again',
      'up: made: Stories responds again',
    ]);
    const began = systemClock.steady();
    await until(() => scenarios.monitored.every(({ standing }) => (standing.seen ?? 0) > began));
  });

test('an operation that hangs in an area that responds is confirmed by its own scenario, and named', async (t) => {
  const changes = { ...fixedUsers, requestTimeoutMs: 1_200 };
  const { breaks, headlines, people } = await watched(t, { own: [optionsAreRead], changes });
  breaks(...fault({ arrive: () => () => 'taken' as const }, 'love'));
  await people.until(1);
  assert.match(headlines()[0] ?? '', /^down: made: Stories: love gives no usable response: .* \(1 scenario\)$/);
});

// With `block`, the token expires after a block. Then the run leaves the block behind, because the service accepts the undo only with a
// valid token.
for (const after of [undefined, 'block'])
  test(`a token that expires${after ? ` with a ${after}` : ''}: one incident with the areas that refuse it, one request an interval with it, and one end`, async (t) => {
    const { breaks, headlines, people, scenarios, incidents } = await watched(t, { changes: fixedUsers });
    const refusals: { operation: string; at: number }[] = [];
    breaks(...fault(refuses(seeded.caller.accessToken, refusals, after)));
    await people.until(1);
    assert.deepEqual(headlines(), ['down: made: ACCESS_TOKEN is refused (401) in Friends, Stories and Profile']);
    await until(() => scenarios.monitored.some(({ standing }) => standing.unjudgedSince));
    await wait(5 * EVERY_MS);
    const downAt = incidents.all[0]?.hits[0]?.at ?? 0;
    const { true: first = [], false: later = [] } = Object.groupBy(refusals, ({ at }) => `${at <= downAt}`);
    // The maximum number of requests until the failure is confirmed: four attempts of the first scenario with two requests each, one run
    // that was in progress, and one run in the other area. On a slow machine the confirmation takes several intervals, with one more
    // request in each. Leaves out the requests with which a run in progress undoes its changes.
    const confirming = first.map(({ operation }) => operation).filter((operation) => !/^un/.test(operation));
    const intervalsUntil = (from: number, to: number) => (to - from) / EVERY_MS;
    const most = 12 + intervalsUntil(first[0]?.at ?? downAt, downAt);
    assert.ok(confirming.length <= most, `${confirming.join()} of ${most}`);
    const intervals = intervalsUntil(downAt, Date.now());
    assert.ok(
      later.length <= intervals + 1,
      `${later.length} in ${intervals} intervals: ${later.map(({ operation }) => operation).join()}`,
    );
    breaks();
    await people.until(2);
    assert.equal(headlines()[1], 'up: made: ACCESS_TOKEN is accepted again');
    assert.equal(incidents.all.length, 1);
    await until(() => scenarios.monitored.every(({ standing }) => standing.unjudgedSince === undefined));
  });

test('of scenarios that one failure meets as the same users, the first is confirmed before the others are tried again', async (t) => {
  const titles = [
    'block and unblock, twice',
    'block two, then unblock one',
    'two users have separate lists',
    'who blocked me',
    'love, then unlove',
  ];
  const { breaks, people, incidents } = await watched(t, { titles, changes: fixedUsers });
  const undos: number[] = [];
  const hears: Hooks = {
    arrive: () => () => void undos.push(Date.now()),
    handle: () => () => ({ status: 200, body: {} }),
  };
  breaks(...fault(hears, 'unblock'));
  await people.until(1);
  const downAt = incidents.all[0]?.hits[0]?.at ?? 0;
  // The maximum: four attempts of the first scenario, and one of another scenario in between. Each of these attempts tries to undo up to
  // three blocks, and sends each undo twice.
  const before = undos.filter((at) => at <= downAt).length;
  assert.ok(before <= 25, `${before} undos`);
});

for (const [what, faults, down, judged] of [
  [
    'one operation that answers 401',
    fault(answers(401), 'love'),
    'Stories: love answers 401 to our ACCESS_TOKEN (1 scenario)',
    'unblock',
  ],
  [
    'an area that alone refuses the token',
    fault(refuses(seeded.caller.accessToken), 'block', 'unblock', 'listBlocked', 'listBlockers'),
    'ACCESS_TOKEN is refused (401) in Friends',
    'unlove',
  ],
] as const)
  test(`${what} is told once, and keeps no scenario of another area waiting`, async (t) => {
    const titles = ['block and unblock, twice'];
    const { breaks, asked, headlines, people, scenarios, incidents } = await watched(t, {
      titles,
      changes: fixedUsers,
    });
    breaks(...faults);
    await people.until(1);
    asked.length = 0;
    await until(() => asked.filter((operation) => operation === judged).length >= 4);
    assert.deepEqual([headlines(), incidents.all.length], [[`down: made: ${down}`], 1]);
    const own = incidents.all[0]?.hits[0]?.area;
    assert.ok(scenarios.monitored.every(({ area, standing }) => area === own || standing.unjudgedSince === undefined));
  });

test('a host goes with four environments: one down, at most one more in each gathering time, one up', async (t) => {
  const service = await startService({ port: 0, quiet: true });
  const environments = ['aa', 'bb', 'cc', 'dd'].map((name) =>
    embeddedEnvironment(service, { name, consistencyTimeoutMs: 50 }),
  );
  const rule = { downAfter: 1, upAfter: 2, remindAfterMs: 3_600_000, gatherMs: 1_000 };
  const settings = { everyMs: EVERY_MS, rule };
  const { running, notices, end } = await runMonitor(environments, await titled(monitoredTitles), settings);
  t.after(async () => {
    await end();
    await service.stop();
  });
  const { incidents, scenarios } = running.monitor.recorder;
  await until(() => scenarios.monitored.every(({ standing }) => standing.wasUp));
  service.faults.set(...fault(answers(503)));
  await until(() => incidents.open[0]?.open.length === 12);
  await until(() => notices().some(({ environments: named = [] }) => named.length > 0));
  await wait(3 * EVERY_MS);
  service.faults.set();
  await until(() => notices().at(-1)?.kind === 'up');
  const headlines = notices();
  const kinds = headlines.map(({ kind }) => kind);
  assert.match(kinds.join(), /^down,(more,)*up$/);
  // After the last failure there is at most one `more`. A slow machine may take several gathering times until then.
  const failedAt = incidents.all.flatMap(({ hits }) => hits.map(({ at }) => at));
  const most = 1 + Math.floor((Math.max(...failedAt) - Math.min(...failedAt)) / rule.gatherMs);
  assert.ok(kinds.length - 2 <= most, `${kinds.join()} with at most ${most} more`);
  assert.match(headlines.at(-1)?.headline ?? '', /^\w\w, \w\w and 2 more environments: 4 areas work again after /);
  assert.equal(incidents.all.length, 1);
});

test('while its receiver is dead, the console says so at once, and the page and /healthz within a minute', async (t) => {
  const nobody = channelTypes.webhook.open({ WEBHOOK_URL: 'http://127.0.0.1:1/' });
  const { breaks, text, said, running } = await watched(t, { channels: new Map([['webhook', nobody]]) });
  const health = async () => (await fetchOnce(new URL('/healthz', running.url))).status;
  const { db } = running.monitor.recorder;
  // A notice to a channel that is no longer in the settings. The monitor must not report it as a problem.
  addNotice(db, { kind: 'down', incident: 1, channel: 'email', body: '{}' }, Date.now() - 600_000);
  breaks(...fault(answers(500), 'love'));
  await until(() => said.some((line) => line.startsWith('NOTICE DELAYED: channel webhook did not accept it')));
  assert.equal(await health(), 200);
  db.run('UPDATE notice SET created = created - 45000');
  assert.equal(await health(), 503);
  const problem = '1 notice waiting to be sent (the receiver could not be reached (ECONNREFUSED))';
  assert.ok((await text('/healthz')).includes(problem));
  await until(async () => (await text('/')).includes(`The monitor itself has a problem: ${problem}`));
});

const [UPDATE, REPORT] = ['update profile', 'fetch options, then report'];

/**
 * Monitors two scenarios from their first runs on. One of them usually runs every ten minutes, the other every hour. If `faults` is
 * undefined, the service isn't running yet.
 */
async function rare(t: TestContext, faults: readonly Fault[] | undefined) {
  const asked: string[] = [];
  const port = await freePortsInARow();
  let service = await startService({ port, quiet: true });
  const set = (...some: readonly Fault[]) => service.faults.set(...counting(asked), ...some);
  const environment = embeddedEnvironment(service, { name: 'made', consistencyTimeoutMs: 50, ...fixedUsers });
  set(...(faults ?? []));
  if (!faults) await service.stop();
  const chosen = await titled([UPDATE, REPORT]);
  const { running, notices, people, end } = await runMonitor([environment], chosen, { everyMs: EVERY_MS });
  t.after(async () => {
    await end();
    await service.stop();
  });
  const heal = async () => {
    if (!faults) service = await startService({ port, quiet: true });
    set();
  };
  const headlines = () => linesOf(notices());
  const isDown = (title: string) => running.monitor.recorder.incidents.of({ environment: 'made', title }) !== undefined;
  return { headlines, people, heal, isDown, count: (one: string) => asked.filter((each) => each === one).length };
}

test('what fails and can be undone is tried again every interval, and its end is told at once; what is irreversible waits for its own', async (t) => {
  const { headlines, people, heal, count } = await rare(t, fault(answers(500), 'updateProfile', 'report'));
  await people.until(2);
  assert.deepEqual(headlines().sort(), [
    'down: made: Profile: updateProfile answers 500 (1 scenario)',
    'down: made: Stories: report answers 500 (1 scenario)',
  ]);
  const [updates, reports] = [count('updateProfile'), count('report')];
  await until(() => count('updateProfile') >= updates + 3);
  await heal();
  await people.until(3);
  assert.equal(headlines()[2], 'up: made: "update profile" has recovered in Profile');
  await wait(3 * EVERY_MS);
  assert.equal(count('report'), reports, 'nobody is reported again and again');
});

for (const [what, faults, down] of [
  ['its host refused connections', undefined, 2],
  ['its address answered 503', fault(answers(503)), 2],
  // If the service refuses a credential, only one scenario tries it again. The other scenario waits for the result, so it isn't down.
  ['its credential was refused', fault(refuses(seeded.caller.accessToken)), 1],
] as const)
  test(`what is irreversible runs early when ${what}, and is back`, async (t) => {
    const { headlines, heal, count, isDown } = await rare(t, faults);
    await until(() => [REPORT, UPDATE].filter(isDown).length >= down && headlines().length > 0);
    await wait(2 * EVERY_MS);
    assert.equal(count('report'), 0);
    await heal();
    await until(() => count('report') > 0);
    await until(() => headlines().filter((line) => line.startsWith('up')).length === headlines().length / 2);
  });
