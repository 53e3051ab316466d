import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Scenario } from '../../runner/index.ts';
import type { Effect } from '../../spec/index.ts';
import { fakeEnvironment } from '../../testing/monitor/fakes.ts';
import { probeTargets, rareText } from './targets.ts';

const MINUTE = 60_000;
const scenario = (effect: Effect): Scenario => ({
  title: effect,
  file: `${effect}.spec.ts`,
  details: { tag: ['@storage', `@${effect}`] },
  body: async () => {},
});
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

const rows: [
  name: string,
  everyMs: number,
  byTag: Record<string, number>,
  own: number | undefined,
  minutes: number[],
][] = [
  ['by default, what changes things for good runs rarely', MINUTE, {}, undefined, [1, 1, 10, 60]],
  ["an environment's interval is not meant for it either", MINUTE, {}, 5_000, [5 / 60, 5 / 60, 10, 60]],
  ['a longer interval holds for all', 30 * MINUTE, {}, undefined, [30, 30, 30, 60]],
  ['unless its tag asks', MINUTE, { irreversible: 5 * MINUTE, overwriting: MINUTE }, undefined, [1, 1, 1, 5]],
  ['or that of its area', MINUTE, { storage: 2 * MINUTE }, undefined, [2, 2, 2, 2]],
];

for (const [name, everyMs, byTag, own, minutes] of rows)
  test(`intervals: ${name}`, () => {
    assert.deepEqual(
      targetsOf(everyMs, byTag, own).map(({ intervalMs }) => intervalMs / MINUTE),
      minutes,
    );
  });

test('consecutive runs are of different environments, and of different areas in each', () => {
  const tags = ['@friends', '@friends', '@friends', '@friends', '@stories', '@stories', '@storage'];
  const scenarios = tags.map((tag, index) => ({
    ...scenario('read'),
    title: `${tag} ${index}`,
    details: { tag: [tag, '@read'] },
  }));
  const targets = probeTargets([fakeEnvironment('e'), fakeEnvironment('f')], scenarios, MINUTE);
  assert.equal(targets.map(({ environment }) => environment.name).join(''), 'ef'.repeat(7));
  const titles = (name: string) =>
    targets.filter(({ environment }) => environment.name === name).map(({ scenario: { title } }) => title);
  assert.deepEqual(titles('e'), [
    '@friends 0',
    '@stories 4',
    '@friends 1',
    '@storage 6',
    '@friends 2',
    '@stories 5',
    '@friends 3',
  ]);
  assert.deepEqual(titles('f'), titles('e'));
});

test('the start says what runs less often, if anything does', () => {
  assert.equal(
    rareText(targetsOf(MINUTE)),
    'Less often, to spare data: 1 overwriting scenario every 10 min, 1 irreversible scenario every 1 h (MONITOR_EVERY_BY_TAG in the environment changes that).',
  );
  assert.equal(rareText(targetsOf(MINUTE, { storage: MINUTE })), undefined);
});
