import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConfigurationError } from '../../config/index.ts';
import type { Scenario } from '../../runner/index.ts';
import { chooseScenarios, type ScenarioChoice } from './choose-scenarios.ts';
import { grepOf } from './words.ts';

const scenario = (title: string, ...tags: string[]) =>
  ({ title, details: { tag: tags }, file: `/x/tests/scenarios/${tags[0]?.slice(1)}.spec.ts` }) as unknown as Scenario;

const all = [
  scenario('update profile', '@profile', '@overwriting', '@restorable'),
  scenario('Get friend profile, as documented', '@profile', '@overwriting'),
  scenario('clone type', '@gameDesign', '@irreversible'),
  scenario('read-only round', '@all', '@read'),
];
const [update, documented, clone, round] = all.map(({ title }) => title);

const rows: [choice: ScenarioChoice, chosen: (string | undefined)[]][] = [
  [{}, [update, documented, clone, round]],
  [{ scenario: 'clone type' }, [clone]],
  [{ scenario: '*profile*' }, [update, documented]],
  [{ scenario: 'GET*' }, [documented]],
  [{ scenario: 'clone?type' }, [clone]],
  [{ scenario: '*, as*' }, [documented]],
  [{ area: ['profile'] }, [update, documented]],
  [{ area: ['gameDesign', 'profile'] }, [update, documented, clone]],
  [{ tag: ['@overwriting'] }, [update, documented]],
  // A tag is whole: @restorable is not @restor, and @read is not in @reading.
  [{ tag: ['read'] }, [round]],
  [{ tag: ['read', 'irreversible'] }, [clone, round]],
  [{ grep: 'PROFILE' }, [update, documented]],
  [{ grep: '^scenarios/all' }, [round]],
  [{ grep: '/type$|@read$/i' }, [round]],
  [{ grep: 'update|clone', area: ['gameDesign'] }, [clone]],
  [{ area: ['profile'], tag: ['restorable'], grep: 'update', scenario: '*' }, [update]],
];

for (const [choice, titles] of rows)
  test(`${JSON.stringify(choice)} chooses ${titles.length}`, () => {
    assert.deepEqual(
      chooseScenarios(all, choice).map(({ title }) => title),
      titles,
    );
  });

for (const [choice, says] of [
  [{ scenario: 'clone.type' }, /^None of 4 scenarios matches --scenario "clone\.type"\. In --scenario, "\*" /],
  [
    { area: ['profile'], grep: 'clone' },
    /matches --area profile --grep 'clone'\. Tags: @all .*\. Scenarios:\n {2}update profile\n/,
  ],
  [{ tag: ['frends'] }, /matches --tag frends\./],
] as const)
  test(`${JSON.stringify(choice)}: the error lists what there is`, () => {
    const isClear = (error: unknown) => error instanceof ConfigurationError && says.test(error.message);
    assert.throws(() => chooseScenarios(all, choice), isClear);
  });

test('one expression serves both runners; without words there is none', () => {
  assert.equal(grepOf({}), undefined);
  const text = 'staging scenarios/friends.spec.ts block, then list @friends @reversible';
  assert.match(text, new RegExp(grepOf({ area: ['friends'], grep: 'list', tag: ['reversible'] }) ?? '', 'gi'));
  assert.doesNotMatch(text, new RegExp(grepOf({ area: ['stories'] }) ?? '', 'gi'));
});
