import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Facts } from '../../facts/index.ts';
import type { Effect } from '../../service/index.ts';
import { scenarioOf } from '../../testing/made-scenario.ts';
import { fakeEnvironment } from '../../testing/monitor/fakes.ts';
import { mayRunEarly, probeTargets, usedUpText } from './targets.ts';

const MINUTE = 60_000;
const scenario = (effect: Effect) => scenarioOf(effect, async () => {}, '@storage', `@${effect}`);
const effects: readonly Effect[] = ['read', 'reversible', 'overwriting', 'irreversible'];

function targetsOf(everyMs: number, byTag: Record<string, number> = {}, own?: number) {
  const environment = fakeEnvironment('e');
  const monitoring = {
    ...environment.monitoring,
    everyMsByTag: new Map(Object.entries(byTag)),
    ...(own === undefined ? {} : { everyMs: own }),
  };
  const allowed = { ...environment, allowedEffects: new Set(effects), monitoring };
  return probeTargets([allowed], effects.map(scenario), everyMs);
}

const rows: [name: string, of: Parameters<typeof targetsOf>, minutes: number[]][] = [
  ['by default, what changes things for good runs rarely', [MINUTE], [1, 1, 10, 60]],
  ["an environment's interval is not meant for it either", [MINUTE, {}, 6_000], [0.1, 0.1, 10, 60]],
  ['a longer interval holds for all', [30 * MINUTE], [30, 30, 30, 60]],
  ['unless its tag asks', [MINUTE, { irreversible: 5 * MINUTE, overwriting: MINUTE }], [1, 1, 1, 5]],
  ['or that of its area', [MINUTE, { storage: 2 * MINUTE }], [2, 2, 2, 2]],
];
for (const [name, of, minutes] of rows)
  test(`intervals: ${name}`, () => {
    const found = targetsOf(...of).map(({ intervalMs }) => intervalMs / MINUTE);
    assert.deepEqual(found, minutes);
  });

const NEVER = Number.POSITIVE_INFINITY;

test('what failed and spares data runs early if it can be undone, or if what others need, too, may be back', () => {
  for (const [effect, sinceLasting, kind, expected, sinceRun = 1] of [
    ['overwriting', NEVER, 'operation', 'yes'],
    // 11 minutes ago, the scenario saved an avatar. Nobody can undo that, so another run must have a good reason.
    ['overwriting', 11, 'operation', 'no'],
    ['overwriting', 11, 'address', 'if back'],
    ['irreversible', NEVER, 'operation', 'no'],
    ['irreversible', NEVER, 'unjudged', 'no'],
    ['irreversible', NEVER, undefined, 'no'],
    ['irreversible', NEVER, 'address', 'if back'],
    ['irreversible', NEVER, 'host', 'if back'],
    // Each run of this scenario reports a user for good. So if the host fails and recovers repeatedly, the scenario must not run early
    // after each failure.
    ['irreversible', 9, 'host', 'no'],
    ['irreversible', 11, 'host', 'if back'],
    ['irreversible', 9, 'credential', 'yes'],
    ['irreversible', NEVER, 'operation', 'yes', 60],
  ] as const) {
    const target = { isRare: true, effect, intervalMs: 60 * MINUTE };
    const may = mayRunEarly(target, sinceRun * MINUTE, sinceLasting * MINUTE, kind && { kind });
    assert.equal(may, expected, `${effect}, ${sinceLasting} min after lasting, ${kind}`);
  }
  assert.equal(mayRunEarly({ isRare: false, effect: 'read', intervalMs: MINUTE }, 0, NEVER, undefined), 'yes');
});

test('consecutive runs are of different environments, and of different areas in each', () => {
  const areas = ['friends', 'friends', 'friends', 'friends', 'stories', 'stories', 'storage'];
  const scenarios = areas.map((area, index) => ({
    ...scenario('read'),
    title: `${area}${index}`,
    details: { tag: [`@${area}`, '@read'] },
  }));
  const targets = probeTargets([fakeEnvironment('e'), fakeEnvironment('f')], scenarios, MINUTE);
  const expected = ['friends0', 'stories4', 'friends1', 'storage6', 'friends2', 'stories5', 'friends3'];
  assert.deepEqual(
    targets.map(({ environment, scenario: { title } }) => `${environment.name} ${title}`),
    expected.flatMap((title) => [`e ${title}`, `f ${title}`]),
  );
});

test('facts are checked once an hour, where there are any, and at every interval while one does not hold', () => {
  const environment = { ...fakeEnvironment('e'), allowedEffects: new Set(effects) };
  const facts = new Facts([
    { question: 'repeat', operation: 'love', answer: 'accepted', evidence: 'by hand', askedAt: '2026-11-27' },
  ]);
  const held = { ...scenario('read'), title: 'what is known', file: 'tests/facts/facts.spec.ts' };
  const targetsIn = (each: typeof environment) => probeTargets([each], [scenario('read'), held], MINUTE);
  const intervalsOf = (each: typeof environment) => targetsIn(each).map(({ intervalMs }) => intervalMs / MINUTE);
  assert.deepEqual(intervalsOf({ ...environment, facts }), [1, 60]);
  assert.deepEqual(intervalsOf(environment), [1]);
  const [, ofFacts] = targetsIn({ ...environment, facts });
  assert.ok(ofFacts?.isRare);
  assert.equal(mayRunEarly(ofFacts, MINUTE, NEVER, { kind: 'operation' }), 'yes');
});

test('the start says with figures what the schedule uses up for good, if anything does', () => {
  assert.equal(
    usedUpText(targetsOf(MINUTE)),
    'e: each day the monitor deletes at least 24 stored items (STORED_ITEM_IDS has 0).',
  );
  assert.equal(usedUpText(targetsOf(MINUTE).filter(({ effect }) => effect !== 'irreversible')), undefined);
});
