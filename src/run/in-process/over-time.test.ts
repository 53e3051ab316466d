import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Fault, faults, seeded, variants } from '../../../reference-service/index.ts';
import { serviceReadings } from '../../../reference-service/readings/index.ts';
import type { Catching } from '../../call/awaited-changes.ts';
import type { Environment } from '../../environment/index.ts';
import { awaitedInRun, keepRunHere, unusedItems } from '../../scenario/index.ts';
import { operationIds } from '../../service/index.ts';
import { resultText } from '../../testing/play.ts';
import { answers, safetyBench, titled } from '../../testing/safety-bench.ts';
import { callService } from '../../testing/servers/call-service.ts';
import { factsOf, newItems } from '../../testing/test-environment.ts';
import { overallVerdict, runScenario, type Scenario, scenarios } from '../index.ts';

// These tests run scenarios on a service that is healthy, then broken for two runs (“looks”), then repaired. The rows have different
// faults, which make the scenarios leave different changes behind.
const bench = await safetyBench();
const { arrivals, leaveBehind, pending, provisioned, reversible, run, scenario, service, tell } = bench;
const facts = factsOf(
  'evaluate known-flag: a value of its own',
  'updateProfile partial-update: the others are left',
  'deleteItem repeat: refused with 404',
);
/** A short consistency time-out, because this service shows changes in its lists at once. */
const own: Environment = { ...bench.own, consistencyTimeoutMs: 300, facts: facts.with(bench.own.facts ?? []) };
const strict = [...serviceReadings.changeAgain.refused.changes(''), ...serviceReadings.reportAgain.refused.changes('')];
const blockTwiceIs409 = variants.find(({ name }) => name === 'block-twice-is-409') as Fault;

const look = async (pattern: RegExp, environment = own) => run(environment, ...(await titled(pattern)));
const isGreen = async (pattern: RegExp) => {
  for (const result of await look(pattern)) assert.match(resultText(result), /^(passed|skipped)/, result.title);
};
const outcomes = async (pattern: RegExp) =>
  (await look(pattern))
    .filter(({ verdict }) => verdict !== 'skipped')
    .map(({ verdict, failing }) => `${verdict} ${failing?.operation}`);

const broken = (operation: Fault['operation'], handle: NonNullable<Fault['handle']>): Fault => ({
  name: `broken ${operation}`,
  operation,
  handle,
});
const fallsBack = broken('evaluate', () => ({ args }) => {
  const { key, default: value } = args as { readonly key: string; readonly default: string };
  return { status: 200, body: { key, active: false, value } };
});
const clearsTheRest = faults.find(({ name }) => name === 'updateProfile-clears-what-is-not-named') as Fault;
const undoes = /^love, then unlove/;

const rows: [name: string, before: Fault[], broken: Fault, pattern: RegExp, said: RegExp][] = [
  ['an undo that is refused', strict, answers('unlove', 422), undoes, /^failed unlove$/],
  ['an undo that is refused, of a change that is not', [], answers('unlove', 422), undoes, /^failed unlove$/],
  ['an undo that is accepted and does nothing', strict, answers('unlove', 200), undoes, /^failed unlove$/],
  ['an undo that many scenarios need', [blockTwiceIs409], answers('unblock', 423), /^block/, /^failed unblock$/],
  ['a block that stays', strict, answers('unblock', 200), /^block, then list/, /^failed (unblock|listBlocked)$/],
  ['a report that is refused, of many', [], answers('report', 422), /^fetch options/, /^failed report$/],
  ['a report that is refused, of one', strict, answers('report', 409), /^fetch options/, /^failed report$/],
  ['a deletion that is refused', [], answers('deleteItem', 404), /^delete by id/, /^unknown/],
  ['a flag that falls back', [], fallsBack, /^a flag that exists has/, /^drifted evaluate$/],
  ['an update that clears the rest', [], clearsTheRest, /^an update leaves what/, /^drifted readProfile$/],
  ['a repeated deletion that is accepted', [], answers('deleteItem', 200), /^delete by id/, /^drifted deleteItem$/],
];

for (const [name, before, fault, pattern, said] of rows)
  test(`${name}: said at each look, and green after the repair`, async () => {
    const itemIds = await newItems(service, 12);
    Object.assign(own.data, { storedItemIds: itemIds, flagValue: undefined });
    service.faults.set(...before);
    await isGreen(pattern);
    const unused = unusedItems(own, itemIds).length;
    service.faults.set(...before, fault);
    for (const round of [1, 2])
      for (const outcome of await outcomes(pattern)) assert.match(outcome, said, `look ${round}`);
    const left = pending().map(({ undo, args, userId }) => JSON.stringify([undo, args, userId]));
    assert.equal(new Set(left).size, left.length, 'a change that is left again is left once');
    // With this fault, the responses to a first deletion and to a repeated one look the same, so the suite may note the item as used.
    if (!/deletion that is accepted/.test(name)) assert.equal(unusedItems(own, itemIds).length, unused);
    service.faults.set(...before);
    await isGreen(pattern);
    assert.deepEqual(pending(), []);
    // Now the fault is back for a single run. The suite must not take the fault for normal behaviour, so the repaired service must be green
    // again.
    service.faults.set(...before, fault);
    await look(pattern);
    service.faults.set(...before);
    await isGreen(pattern);
  });

const doneWith500 = broken('unblock', (honest) => {
  let unblocks = 0;
  return (visit) => {
    const reply = honest(visit);
    return ++unblocks === 1 ? { status: 500, body: {} } : reply;
  };
});
const madeAgain = /^passed · undid block .* from before the scenario; the end of the scenario re-creates it$/;

for (const [how, faulty, pattern, said] of [
  ['for the scenario, which says so', [], /^block, then list/, madeAgain],
  ['with a 500', [doneWith500], /^block, then list/, /./],
  ['beside a list that can’t be read', [answers('listBlocked', 404)], /^block, then list/, /^failed/],
  ['while blocks are refused', [answers('block', 422)], /block/, /failed · \w+ · block/],
] as const)
  test(`what a person had blocked is unblocked ${how}, and blocked again at the end`, async () => {
    service.faults.set(...strict);
    const body = { friendId: seeded.friend.userId };
    await callService(service, 'block', { body });
    service.faults.set(...strict, ...faulty);
    const heard = await arrivals.during(async () => assert.match((await look(pattern)).map(resultText).join(), said));
    const changes = heard.map(({ path }) => path).filter((path) => /\/(un)?block$/.test(path));
    assert.ok(changes.includes('/v1/friends/unblock'));
    service.faults.set(...strict);
    await isGreen(pattern);
    assert.deepEqual(pending(), []);
    assert.equal((await callService(service, 'block', { body })).status, 409, 'it is blocked again');
    await callService(service, 'unblock', { body });
  });

const refusesTheFirst = broken('block', (honest) => {
  let blocks = 0;
  return (visit) => (++blocks === 1 ? { status: 409, body: {} } : honest(visit));
});
const showsOthers = broken('listBlocked', () => () => {
  return { status: 200, body: Array.from({ length: 12 }, (_, index) => ({ userId: `other-${index}` })) };
});

for (const [how, faulty, wasBlocked, failing] of [
  ['not made again at the end where a list shows that nobody had made it', [refusesTheFirst], false, 'block'],
  ['made again at the end where it may be on a later page of a list', [...strict, showsOthers], true, 'listBlocked'],
] as const)
  test(`a block that is refused is ${how}`, async () => {
    const body = { friendId: seeded.friend.userId };
    service.faults.set();
    if (wasBlocked) await callService(service, 'block', { body });
    service.faults.set(...faulty);
    assert.deepEqual(await outcomes(/^block, then list/), [`failed ${failing}`]);
    service.faults.set(...strict);
    assert.equal((await callService(service, 'block', { body })).status === 409, wasBlocked);
    await callService(service, 'unblock', { body });
    assert.deepEqual(pending(), []);
  });

test('what another scenario left is taken back before one begins that it would stand in the way of', async () => {
  service.faults.set(blockTwiceIs409);
  const heard = await arrivals.during(async () => {
    leaveBehind();
    const next = scenario(async ({ environment }) => void assert.ok(environment), 'reversible');
    assert.deepEqual(await tell(reversible(), next), ['passed']);
  });
  const paths = heard.map(({ path }) => path);
  const [undo, list, ...start] = paths;
  assert.deepEqual([undo, list], ['/v1/friends/unblock', '/v1/friends/block/0/100'], 'undone, and seen to be');
  assert.deepEqual(start, ['/v1/friends/block/0/100'], 'the scenario looks for itself before it begins');
  assert.deepEqual(pending(), []);
  assert.deepEqual(await tell(reversible(), ...(await titled(/^block, then list, then unblock$/))), ['passed']);
});

test('where all areas share their users, only profiles change while users are blocked', async () => {
  const heard = await arrivals.during(async () => run(own, ...(await scenarios())));
  const first = heard.findIndex(({ path }) => /\/friends\/(un)?block$/.test(path));
  assert.ok(first > 0);
  for (const { path } of heard.slice(first)) assert.match(path, /\/v1\/(friends\/|profile)/);
});

const flaps: [name: string, rightEvery: number, mayLagMs: number, said: RegExp][] = [
  ['a list that flaps passes while it is right within the time that it may lag behind', 2, 10_000, /^passed/],
  [
    'a list that is still wrong when that time is over has failed',
    1_000,
    200,
    /^failed · .* · the list mentions a friend just blocked — .* not found in 0 entries/,
  ],
];

for (const [name, rightEvery, mayLagMs, said] of flaps)
  test(name, async () => {
    let asked = 0;
    const empty = { status: 200, body: [] };
    service.faults.set(
      broken('listBlocked', (honest) => (visit) => (++asked % rightEvery === 0 ? honest(visit) : empty)),
    );
    const results = await look(/^block, then list/, { ...provisioned, consistencyTimeoutMs: mayLagMs });
    assert.match(results.map(resultText).join(), said);
  });

const late = variants.find(({ name }) => name === 'listBlocked-lags-one-read-behind') as Fault;
const never = broken('listBlocked', () => () => ({ status: 200, body: [] }));
const [shows, forgets] = ['listBlocked shows', 'listBlocked forgets'] as const;
const hour = 3_600_000;

const awaited: [name: string, fault: Fault, what: `list${string} ${Catching}`, inMs: number, said: RegExp][] = [
  ['a list that has not shown three changes is read once', never, shows, hour, /^failed.* ms; read only once, /],
  [
    'an undo that was not seen three times is looked for once',
    answers('unblock', 200),
    forgets,
    hour,
    /read only once, /,
  ],
  ['a list that lags is awaited, whatever another does', late, 'listBlockers shows', hour, /^passed$/],
  ['a list that is no more than late after a while is awaited', late, shows, -hour, /^passed$/],
];

for (const [name, fault, what, inMs, said] of awaited)
  test(name, async () => {
    service.faults.set(fault);
    const [scenario] = (await titled(/^block, then list, then unblock$/)) as [Scenario];
    keepRunHere(name);
    const { add } = awaitedInRun(name, provisioned.name);
    for (const _ of [1, 2, 3]) add({ what, isSeen: false, at: Date.now() + inMs });
    const environment = { ...provisioned, consistencyTimeoutMs: late === fault ? 10_000 : 200 };
    assert.match(resultText(await runScenario(scenario, { environment, seed: name, runId: name })), said);
  });

test('where every tenth request fails, who met one has failed, and the others have passed', async () => {
  let requests = 0;
  const failure = { status: 500, body: {} };
  service.faults.set(
    ...operationIds.map((operation) =>
      broken(operation, (honest) => (visit) => (++requests % 10 === 0 ? failure : honest(visit))),
    ),
  );
  const results = await look(/./, { ...provisioned, consistencyTimeoutMs: 2_000 });
  const met = results.filter(({ exchanges }) => exchanges.some(({ response }) => response?.status === 500));
  assert.ok(met.length > 0 && met.length < results.length);
  for (const result of results)
    assert.match(
      resultText(result),
      met.includes(result) ? /^failed · .*500 Internal Server Error/ : /^passed/,
      result.title,
    );
  assert.equal(overallVerdict(results.map(({ verdict }) => verdict)), 'failed');
});
