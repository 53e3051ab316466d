import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { callSite } from '../verdict/index.ts';
import { Ledger } from './ledger.ts';

type Make = (ends?: 'fails' | 'never') => Promise<string>;

const spread = async <T>(all: Iterable<Promise<T>>) => Array.fromAsync(all);
const handed = async (given: Promise<string>) => given;
const race = async (make: Make) => Promise.race([make(), make()]);

/**
 * Ways in which the body of a scenario uses the promise of an expectation, and how many of its promises must be reported as not awaited.
 */
const shapes: Readonly<Record<string, readonly [accused: number, body: (make: Make) => unknown]>> = {
  'it is awaited': [0, async (make) => void (await make())],
  'it is returned from an async function': [0, async (make) => make()],
  'it is returned from a function': [0, (make) => make()],
  'it is awaited later': [0, async (make) => [make(), await nextTurn()][0]],
  'it is awaited twice': [
    0,
    async (make) => {
      const once = make();
      await once;
      await once;
    },
  ],
  'it is awaited with Promise.all': [0, async (make) => void (await Promise.all([make(), make()]))],
  'it is awaited with Promise.allSettled': [
    0,
    async (make) => void (await Promise.allSettled([make(), make('fails')])),
  ],
  'it is awaited with Promise.any': [0, async (make) => void (await Promise.any([make('fails'), make()]))],
  'it is awaited with Promise.race, and both have ended': [0, async (make) => [await race(make), await nextTurn()]],
  'it is mapped into Promise.all': [0, async (make) => void (await Promise.all([1, 2].map(async () => make())))],
  'it is awaited in a loop': [
    0,
    async (make) => {
      for (let index = 0; index < 3; index++) await make();
    },
  ],
  'it is awaited with for await': [
    0,
    async (make) => {
      for await (const each of [make(), make()]) assert.ok(each);
    },
  ],
  'it is awaited by Array.fromAsync': [0, async (make) => void (await spread([make(), make()]))],
  'it is awaited in a helper': [0, async (make) => void (await handed(make()))],
  'it is awaited in an expression': [0, async (make) => (await make()).length > 0],
  'it is continued by then': [0, async (make) => make().then((text) => text.length)],
  'its failure is expected': [0, async (make) => assert.rejects(make('fails'))],
  'its failure is caught': [0, async (make) => make('fails').catch(() => {})],
  'its failure is caught by try': [
    0,
    async (make) => {
      try {
        await make('fails');
      } catch {}
    },
  ],
  'it has a finally': [0, async (make) => make().finally(() => {})],
  'it resolves another promise': [0, async (make) => new Promise((resolve) => resolve(make()))],
  'nothing is done with it': [1, async (make) => [void make(), await nextTurn()]],
  'it fails, and nothing is done with it': [1, async (make) => [void make('fails'), await nextTurn()]],
  'it is only kept': [
    1,
    async (make) => {
      const kept = make();
      await nextTurn();
      return [kept];
    },
  ],
  'it is awaited with Promise.race, and one has not ended': [
    1,
    async (make) => void (await Promise.race([make(), make('never')])),
  ],
  'two wait for it, and it has not ended': [
    1,
    (make) => {
      const once = make('never');
      void Promise.all([once, once]);
    },
  ],
  'of two, one is forgotten': [1, async (make) => [void make(), await make(), await nextTurn()]],
  'of several in forEach, none is awaited': [
    3,
    async (make) => [[1, 2, 3].forEach(() => void make()), await nextTurn()],
  ],
};

for (const [title, [accused, body]] of Object.entries(shapes))
  test(`${title}: ${accused === 0 ? 'it counts as awaited' : 'it does not'}`, async () => {
    const ledger = new Ledger();
    const make: Make = (ends) => {
      const pending = Promise.resolve().then(() => {
        if (ends === 'never') return new Promise<never>(() => {});
        return ends === 'fails' ? Promise.reject(new Error('it failed')) : 'it ended';
      });
      return ledger.track(ledger.enter('listBlocked', callSite(make)), pending);
    };
    await body(make);
    const text = `${ledger.unjudged()?.message ?? ''}`;
    assert.equal(
      text.match(/listBlocked was not awaited, so it proves nothing; write await/g)?.length ?? 0,
      accused,
      text,
    );
  });

test('a call is told once, with the scenario’s line where it has none of its own, and again where it is judged once more', async () => {
  const ledger = new Ledger({ file: '/a/tests/scenarios/x.spec.ts', line: 7 });
  const call = ledger.enter('block', () => '');
  assert.match(ledger.unjudged()?.message ?? '', /^tests\/scenarios\/x\.spec\.ts:7: block has no expectation, so/);
  assert.equal(ledger.unjudged(), undefined);
  await ledger.track(call, Promise.resolve());
  assert.equal(ledger.unjudged(), undefined);
  void ledger.track(call, Promise.resolve());
  await nextTurn();
  assert.match(ledger.unjudged()?.message ?? '', /^tests\/scenarios\/x\.spec\.ts:7: block was not awaited/);
});
