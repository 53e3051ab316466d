import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, beforeEach, test } from 'node:test';
import { type Operation, operation, operationIds } from '../catalogue/index.ts';
import { Secret, silent } from '../client/index.ts';
import type { Environment } from '../environments/index.ts';
import { startService } from '../service/index.ts';
import { type ScenarioBody, undoLeftovers, World } from '../suite/index.ts';
import { Journal, journalFolder } from '../suite/journal/journal.ts';
import { readJournals } from '../suite/journal/leftovers.ts';
import { runAll, runScenario, type Scenario, scenarios } from './index.ts';
import { Arrivals } from './testing/arrivals.ts';
import { embeddedEnvironment } from './testing/embedded-environment.ts';

const folder = mkdtempSync(join(tmpdir(), 'sextant-safety-'));
process.env.SEXTANT_OUTPUT = folder;
process.env.SEXTANT_STATE = join(folder, 'state');
const service = await startService({ port: 0 });
const arrivals = new Arrivals();
after(async () => {
  await service.stop();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(() => rmSync(folder, { recursive: true, force: true }));

const provisioned = embeddedEnvironment(service);
const { provisionUrl: _, ...own } = provisioned;
const allowing = (...allowed: ('read' | 'reversible' | 'overwriting')[]): Environment => ({
  ...own,
  allowedEffects: new Set(allowed),
});
const reversible = () => allowing('read', 'reversible');

const scenario = (body: ScenarioBody, effect = 'read', ...tags: string[]): Scenario => ({
  title: `a scenario of the test (${effect})`,
  details: { tag: ['@all', `@${effect}`, ...tags] },
  body,
  file: import.meta.filename,
});
let runs = 0;
const run = (environment: Environment, ...all: Scenario[]) =>
  runAll(all, { environment, seed: String(runs), runId: `run-${runs++}` });
const undo = (environment: Environment, forget = false) =>
  undoLeftovers(environment, { observer: silent, runId: 'undo', forget });
const profileUpdates = (heard: readonly { method: string }[]) => heard.filter(({ method }) => method === 'PUT').length;

/** The profile of the environment's caller, as its owner sees it. */
async function profile(): Promise<object> {
  const world = new World({ environment: allowing('read'), observer: silent, seed: 0, runId: 'look' });
  const { profile: client } = { profile: await world.value('profile') };
  const { json } = await client.readProfile({ userId: own.caller.userId }).succeeds();
  await world.close({ verify: true });
  const { name, status, url, gender } = json as Record<string, unknown>;
  return { name, status, url, gender };
}

const reads = [...operationIds.map((id) => operation(id)), own.readProfile as Operation]
  .filter(({ effect }) => effect === 'read')
  .map(({ method, path }) => new RegExp(`^${method} ${path.replace(/\{\w+\}/g, '[^/]+')}$`));

test('with ALLOWED_EFFECTS=read nothing but reads arrives: from no scenario, no auth spec, no helper, no lie', async () => {
  const readOnly: Environment = { ...provisioned, allowedEffects: new Set(['read']) };
  const everything = [...(await scenarios()), ...(await scenarios('auth'))];
  const lies = [
    scenario(async ({ friends, friend }) => void (await friends.block({ friendId: friend.id }).succeeds())),
    scenario(async ({ profile, data }) => void (await profile.updateProfile(data.profile()).succeeds())),
    scenario(async ({ call }) => void (await call('deleteItem', { id: 'item-anchor' }).succeeds())),
  ];
  const heard = await arrivals.during(() => run(readOnly, ...everything, ...lies));
  const others = heard
    .map(({ method, path }) => `${method} ${path}`)
    .filter((line) => !reads.some((read) => read.test(line)));
  assert.deepEqual(others, []);
  assert.ok(heard.length > reads.length, `${heard.length} requests arrived`);
});

test('before a change arrives, its undo is on disk; afterwards nothing is', async () => {
  const seen: string[] = [];
  const look = () => {
    const pending = readJournals(own.name).flatMap((file) => file.pending);
    seen.push(`${arrivals.all.at(-1)?.path}: ${pending.map(({ undo, as }) => `${undo} as ${as}`).join(', ')}`);
  };
  const all = (await scenarios()).filter(({ title }) => title === 'who blocked me' || title === 'love, then unlove');
  arrivals.onArrival = look;
  const results = await run(reversible(), ...all).finally(() => (arrivals.onArrival = () => {}));
  assert.deepEqual(
    results.map(({ verdict }) => verdict),
    ['passed', 'passed'],
  );
  const changes = seen.filter((line) => /block:|love:/.test(line) && !/unblock:|unlove:/.test(line));
  assert.equal(changes.length, 4);
  assert.ok(
    changes.every((line) => /(unblock|unlove) as (caller|friend)/.test(line)),
    seen.join('\n'),
  );
  assert.ok(changes.some((line) => line.includes('as friend')));
  assert.deepEqual(readdirSync(journalFolder(own.name)), []);
});

test('a refused change is not kept; one whose fate is unknown is, and the next run undoes it', async () => {
  const refusedAndLost = scenario(async ({ friends, friend, call }) => {
    await call('block', { friendId: friend.id }).without('authorization').isRefused();
    assert.equal(readJournals(own.name).flatMap(({ pending }) => pending).length, 0);
    await friends.block({ friendId: friend.id }).succeeds();
    throw new Error('the scenario forgot to take its block back');
  }, 'reversible');
  await run(reversible(), refusedAndLost);
  const undone = await undo(reversible());
  assert.deepEqual(
    undone.map(({ entry, done }) => [entry.undo, entry.args, done]),
    [['unblock', { friendId: own.friend.userId }, true]],
  );
  assert.deepEqual(await undo(reversible()), []);
});

test('users that the provisioner made are not in the journal: their tokens may stand in no file', async () => {
  const leaving = scenario(async ({ friends, friend }) => {
    await friends.block({ friendId: friend.id }).succeeds();
    assert.deepEqual(readJournals(own.name), []);
  }, 'reversible');
  const [result] = await run(provisioned, leaving);
  assert.equal(result?.verdict, 'passed', String(result?.reason));
});

const entry = {
  change: 'block',
  undo: 'unblock',
  args: { friendId: 'someone' },
  as: 'caller',
  userId: own.caller.userId,
  base: own.addresses.friends.href,
} as const;

/** A change that a run which is over left behind. */
async function leftBehind(change: Partial<Parameters<Journal['add']>[1]> = {}): Promise<void> {
  const journal = new Journal(own.name, 'dead');
  const by = {};
  await journal.add(by, { ...entry, ...change });
  journal.leave(by);
}

test('changes of a run that is still alive are left alone, and so is what it has changed as well', async () => {
  const live = new Journal(own.name, 'live');
  const { id } = await live.add({}, entry);
  const heard = await arrivals.during(async () => {
    assert.deepEqual(await undo(reversible()), []);
    await leftBehind();
    const [outcome] = await undo(reversible());
    assert.equal(outcome?.done, false);
    assert.match(outcome?.text ?? '', /a run that is under way has changed the same/);
  });
  assert.deepEqual(heard, []);
  live.strike(id, 'undone');
  assert.deepEqual(
    (await undo(reversible())).map(({ done }) => done),
    [true],
  );
});

test('two that undo at once send each undo once', async () => {
  for (const friendId of ['a', 'b', 'c']) await leftBehind({ args: { friendId } });
  const heard = await arrivals.during(() => Promise.all([undo(reversible()), undo(reversible())]));
  assert.equal(heard.length, 3);
});

const obstacles: [name: string, change: Partial<typeof entry>, environment: () => Environment, text: RegExp][] = [
  ['another address', { base: 'http://127.0.0.1:9/' as never }, reversible, /not an address of local any more/],
  ['another user', { userId: 'user-gone' as never }, reversible, /not the caller of local any more/],
  ['reversible is not allowed', {}, () => allowing('read'), /ALLOWED_EFFECTS is read/],
];

for (const [name, change, environment, text] of obstacles) {
  test(`what can't be undone stays, unsent, with the reason, until it is forgotten: ${name}`, async () => {
    await leftBehind(change);
    const heard = await arrivals.during(async () => {
      for (const round of [1, 2]) {
        const [outcome] = await undo(environment());
        assert.equal(outcome?.done, false, `round ${round}`);
        assert.match(outcome?.text ?? '', text);
      }
      await undo(environment(), true);
      assert.deepEqual(await undo(environment()), []);
    });
    assert.deepEqual(heard, []);
  });
}

test('a profile that can be read is put back, also where only reversible is allowed, and after a failure', async () => {
  const before = await profile();
  const changes = (await scenarios()).filter(({ details }) => details.tag.includes('@restorable'));
  assert.equal(changes.length, 3);
  for (const environment of [reversible(), allowing('read', 'overwriting')]) {
    const results = await run(environment, ...changes);
    assert.deepEqual([...new Set(results.map(({ verdict }) => verdict))], ['passed']);
    assert.ok(results.every(({ exchanges }) => profileUpdates(exchanges.map(({ request }) => request)) === 2));
    assert.deepEqual(await profile(), before);
  }
  const failing = scenario(
    async ({ profile: client, data }) => {
      await client.updateProfile(data.profile()).succeeds();
      await client.updateProfile({ includes: 'name', name: data.text() }).isRefused();
    },
    'overwriting',
    '@restorable',
  );
  const [result] = await run(reversible(), failing);
  assert.equal(result?.verdict, 'failed');
  assert.deepEqual(await profile(), before);
  assert.deepEqual(readJournals(own.name), []);
});

test('a profile that a killed run left changed is put back by the next, once, whatever allowed the change', async () => {
  for (const environment of [reversible(), allowing('read', 'overwriting')]) {
    const args = { includes: 'name', name: `Ada ${environment.allowedEffects.size}` };
    const base = own.addresses.profile.href;
    await leftBehind({ change: 'updateProfile', undo: 'updateProfile', args, base } as never);
    const heard = await arrivals.during(() => undo(environment));
    assert.equal(heard.length, 1);
    assert.deepEqual({ ...(await profile()), name: args.name }, await profile());
  }
});

test('a profile whose old values can’t be told is overwritten only where that is allowed', async () => {
  const change = scenario(
    async ({ profile: client, data }) => void (await client.updateProfile(data.profile()).succeeds()),
    'overwriting',
    '@restorable',
  );
  const unread = {
    ...operation('listBlocked'),
    id: 'readProfile',
    area: 'profile',
    path: '/v1/nowhere/{userId}',
  } as const;
  const skipped = await arrivals.during(async () => {
    const [result] = await run({ ...reversible(), readProfile: unread }, change);
    assert.equal(result?.verdict, 'skipped');
    assert.match(
      result?.reason ?? '',
      /updateProfile was not sent: .* can't be told for certain from GET \/v1\/nowhere/,
    );
  });
  assert.equal(profileUpdates(skipped), 0);
  const { readProfile: __, ...blind } = reversible();
  const [result] = await run(blind, change);
  assert.match(result?.reason ?? '', /its effect is overwriting, and ALLOWED_EFFECTS is read,reversible/);
  const before = await profile();
  const sent = await arrivals.during(() => run({ ...allowing('read', 'overwriting'), readProfile: unread }, change));
  assert.equal(profileUpdates(sent), 1);
  assert.notDeepEqual(await profile(), before);
  // What the suite left is nobody's old value: it isn't kept as one.
  assert.equal(profileUpdates(await arrivals.during(() => run(reversible(), change))), 0);
});

test('a wrong token is tried a few times, and then no more in this run', async () => {
  const wrong: Environment = {
    ...own,
    caller: { ...own.caller, accessToken: new Secret('not-the-token') },
    allowedEffects: new Set(['read', 'reversible']),
  };
  const user = (await scenarios()).filter(({ title }) => /block|love|friend profile, as the team/.test(title));
  const options = { environment: wrong, seed: '1', runId: 'wrong' };
  const results: Awaited<ReturnType<typeof runScenario>>[] = [];
  const heard = await arrivals.during(async () => {
    for (const each of [...user, ...user]) results.push(await runScenario(each, options));
  });
  assert.equal(heard.length, 3);
  assert.deepEqual([...new Set(results.map(({ verdict }) => verdict))], ['refused']);
  assert.match(results.at(-1)?.reason ?? '', /^not tried: ACCESS_TOKEN was refused 3 times in a row/);
});

test('everything that arrives is marked; the header of the run id has the name that the environment gives', async () => {
  const marked: Environment = { ...provisioned, runHeader: 'x-acceptance' };
  const heard = await arrivals.during(async () => run(marked, ...(await scenarios())));
  for (const { headers, path } of heard) {
    assert.match(headers['user-agent'] ?? '', /^sextant\/\d/, path);
    assert.match(headers.traceparent as string, /^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/, path);
    assert.match(headers['x-acceptance'] as string, /^run-\d+$/, path);
    assert.equal(headers['x-sextant-run'], undefined);
  }
  assert.equal(new Set(heard.map(({ headers }) => headers.traceparent)).size, heard.length);
});

test('the pace of an environment holds for all of its scenarios together', async () => {
  const paced: Environment = { ...own, pace: { maxConcurrency: 1, retryAfterLimitMs: 0 } };
  let most = 0;
  arrivals.onArrival = () => (most = Math.max(most, arrivals.open));
  await run(paced, ...(await scenarios())).finally(() => (arrivals.onArrival = () => {}));
  assert.equal(most, 1);
});
