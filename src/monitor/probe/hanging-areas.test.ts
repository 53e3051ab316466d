import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Environment } from '../../environment/index.ts';
import type { Effect } from '../../service/index.ts';
import { scenarioOf } from '../../testing/made-scenario.ts';
import { fakeEnvironment, fakeExchange } from '../../testing/monitor/fakes.ts';
import { HangingAreas } from './hanging-areas.ts';
import type { ProbeTarget } from './targets.ts';

const environment = fakeEnvironment('staging');
const failure = { phase: 'processing', side: 'service', code: 'DEADLINE', reason: 'no complete response' } as const;

/** A target described by its name, e.g. `reads stories`, `changes all` (several areas) or `rare stories` (runs rarely). */
function targetOf(name: string, at: Environment): ProbeTarget {
  const [kind, area] = name.split(' ') as [string, ProbeTarget['area']];
  const effect: Effect = kind === 'reads' ? 'read' : 'reversible';
  const scenario = scenarioOf(name, async () => {});
  return { environment: at, scenario, area, effect, intervalMs: 60_000, isRare: kind === 'rare' };
}

/**
 * Each row: attempts in order, each written as `scenario end`, where `end` is how the scenario's call ended (`hangs`, `answers`,
 * `refuses`). Then what must follow: the scenarios whose calls may now take only a second, and the scenario that runs at once to confirm
 * the hang.
 */
const stories: [what: string, attempts: string, short: string, atOnce: string, at?: Partial<Environment>][] = [
  ['nothing hangs', 'changes stories answers', '', ''],
  [
    'one that only reads confirms it, and another one tries, too',
    'reads stories hangs',
    'changes stories, rare stories, changes all',
    'changes stories',
  ],
  [
    'one that changes something leaves it to one that reads',
    'changes stories hangs',
    'changes stories, rare stories, changes all',
    'reads stories',
  ],
  ['it has responded once', 'changes stories hangs; rare stories answers', '', 'reads stories'],
  [
    'it refuses connections then',
    'changes stories hangs; reads stories hangs; changes stories refuses',
    'changes stories, rare stories, changes all',
    'reads stories',
  ],
  [
    'what confirms it was kept from calling',
    'changes stories hangs; reads stories refuses',
    'reads stories, rare stories, changes all',
    'reads stories',
  ],
  ['nothing there only reads', 'changes profile hangs', 'changes all', ''],
  ['one that reads in several areas proves nothing of one', 'reads all hangs', '', ''],
  [
    'a deadline as short as that holds nobody up',
    'changes stories hangs',
    '',
    'reads stories',
    { requestTimeoutMs: 1_000 },
  ],
];
const names = ['reads stories', 'changes stories', 'rare stories', 'changes profile', 'reads all', 'changes all'];

for (const [what, attempts, short, atOnce, at = {}] of stories)
  test(`an area that hangs: ${what}`, () => {
    const own = { ...environment, ...at };
    const targets = names.map((name) => targetOf(name, own));
    const hanging = new HangingAreas(targets, () => true);
    let hurried: ProbeTarget | undefined;
    for (const [index, attempt] of attempts.split('; ').entries()) {
      const [, name, end] = /^(.*) (\w+)$/.exec(attempt) ?? [];
      const target = targets[names.indexOf(name ?? '')] ?? assert.fail(attempt);
      const { response, ...call } = fakeExchange({ area: target.area === 'all' ? 'stories' : target.area });
      const refused = { ...failure, phase: 'connect', code: 'ECONNREFUSED' } as const;
      const exchange =
        end === 'answers' ? { ...call, response } : { ...call, failure: end === 'hangs' ? failure : refused };
      const result = { exchanges: [exchange], ...(end === 'answers' ? {} : { failing: exchange }) };
      if (hanging.note({ target, result, began: index, ended: index + 0.5 }, true))
        hurried = hanging.toRunAtOnce(target);
    }
    const isShort = (target: ProbeTarget) => hanging.limitMs(target) === 1_000;
    const got = [targets.filter(isShort), hurried ? [hurried] : []].map((all) =>
      all.map(({ scenario }) => scenario.title),
    );
    assert.deepEqual(
      got.map((all) => all.join(', ')),
      [short, atOnce],
    );
  });

test('a scenario that found a hang waits until another one has confirmed it; it confirms it by itself where that one has no turn', async () => {
  const targets = names.map((name) => targetOf(name, environment));
  const [reads = assert.fail(), changes = assert.fail()] = targets;
  const { response: _, ...call } = fakeExchange({ area: 'stories', failure });
  const result = { exchanges: [call], failing: call };
  const never = () => new Promise<void>(() => {});
  for (const [isLate, isRefuted, expected] of [
    [false, false, true],
    [false, true, false],
    [true, false, false],
  ]) {
    const hanging = new HangingAreas(targets, () => true);
    hanging.note({ target: changes, result, began: 0, ended: 1 }, true);
    const left = hanging.isLeftToAnother(changes, isLate ? async () => {} : never);
    if (isRefuted) hanging.responded(environment, 'stories', 2);
    else if (!isLate) hanging.note({ target: reads, result, began: 2, ended: 3 }, true);
    assert.equal(await left, expected);
    assert.equal(hanging.limitMs(changes), expected ? 1_000 : undefined);
  }
});

test('a response to a call that began before says nothing, and what was refuted is not found again in the same run', () => {
  const targets = names.map((name) => targetOf(name, environment));
  const changes = targets[1] ?? assert.fail();
  const { response: _, ...call } = fakeExchange({ area: 'stories', failure });
  const result = { exchanges: [call], failing: call };
  const hanging = new HangingAreas(targets, () => true);
  assert.ok(hanging.note({ target: changes, result, began: 0, ended: 10 }, true));
  hanging.responded(environment, 'stories', 9);
  assert.ok(hanging.has(environment, 'stories'));
  hanging.responded(environment, 'stories', 10);
  assert.ok(!hanging.has(environment, 'stories'));
  assert.ok(!hanging.note({ target: changes, result, began: 11, ended: 12 }, false));
});
