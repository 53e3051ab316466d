import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { type Fault, startService, variants } from '../../reference-service/index.ts';
import { Refusal } from '../../reference-service/refusal.ts';
import { Journal } from '../scenario/journal/journal.ts';
import { Arrivals } from '../testing/arrivals.ts';
import { pendingChanges } from '../testing/pending-changes.ts';
import { safetyBench } from '../testing/safety-bench.ts';
import { scenarios } from './index.ts';

const service = await startService({ port: 0, quiet: true });
const arrivals = new Arrivals();
const { forgetAll, own, reversible, run } = safetyBench(service);
after(async () => {
  await service.stop();
  forgetAll();
});
beforeEach(() => {
  forgetAll();
  service.faults.set();
});

const titled = async (title: string) => (await scenarios()).filter((scenario) => scenario.title === title);
const blockTwiceIs409 = variants.find(({ name }) => name === 'block-twice-is-409') as Fault;
const noUnblock: Fault = {
  name: 'unblock-is-refused',
  operation: 'unblock',
  handle: () => () => {
    throw new Refusal(423, 'locked', 'not now');
  },
};

/** A block of the friend by another scenario that was not undone. */
async function leaveBlocked(): Promise<void> {
  const args = { friendId: own.friend.userId };
  const journal = new Journal(own.name, 'dead');
  const by = {};
  const base = own.addresses.friends.href;
  const { userId } = own.caller;
  await journal.add(by, { change: 'block', undo: 'unblock', args, as: 'caller', userId, base });
  journal.leave(by);
  const [result] = await run(reversible(), {
    title: 'blocks',
    details: { tag: ['@friends', '@reversible'] },
    file: import.meta.filename,
    body: async ({ environment }) => void assert.ok(environment),
  });
  assert.equal(result?.verdict, 'passed');
}

test('what another scenario left is taken back before one begins that it would stand in the way of', async () => {
  service.faults.set(blockTwiceIs409);
  const heard = await arrivals.during(leaveBlocked);
  assert.deepEqual(
    heard.map(({ path }) => path),
    ['/v1/friends/unblock', '/v1/friends/block/0/100'],
    'undone, and seen to be',
  );
  assert.deepEqual(pendingChanges(own.name), []);
  const [result] = await run(reversible(), ...(await titled('block, then list, then unblock')));
  assert.equal(result?.verdict, 'passed', result?.reason ?? '');
});

test('an undo that is refused is its own failure in every scenario that needs it; once it works again, all is green', async () => {
  service.faults.set(noUnblock, blockTwiceIs409);
  const friends = (await scenarios()).filter(({ title }) => /^block/.test(title));
  for (const round of [1, 2])
    for (const { title, verdict, reason, failing } of await run(reversible(), ...friends)) {
      assert.deepEqual([verdict, failing?.operation], ['failed', 'unblock'], `${title} in round ${round}: ${reason}`);
    }
  service.faults.set(blockTwiceIs409);
  for (const { verdict, reason } of await run(reversible(), ...friends)) assert.equal(verdict, 'passed', reason ?? '');
  assert.deepEqual(pendingChanges(own.name), []);
});

test('where all areas share their users, nothing else is under way while users are blocked', async () => {
  const heard = await arrivals.during(async () => void (await run(own, ...(await scenarios()))));
  const isBlocking = ({ path }: { path: string }) => /\/friends\/(un)?block$/.test(path);
  const first = heard.findIndex(isBlocking);
  assert.ok(first > 0);
  for (const { path } of heard.slice(first)) assert.match(path, /\/v1\/friends\//);
});
