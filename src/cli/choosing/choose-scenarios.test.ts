import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ConfigurationError } from '../../config/index.ts';
import type { Scenario } from '../../runner/index.ts';
import { ownFolder } from '../../testing/servers/own-service.ts';
import { assertQuarantine, chooseScenarios, type ScenarioChoice } from './choose-scenarios.ts';

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

const folder = ownFolder();
process.env.SEXTANT_ENVIRONMENTS = folder;
writeFileSync(join(folder, 'staging.env'), '');

const quarantined: [entry: object, says: RegExp | undefined][] = [
  [{ title: 'love, then unlove' }, undefined],
  [{ title: 'love, then unlove', environment: 'staging' }, undefined],
  [{ title: 'unlove with Authorization missing is refused' }, undefined],
  [{ title: 'love, then unlov' }, /no scenario "love, then unlov" \(did you mean love, then unlove\?\)/],
  [{ title: 'love, then unlove', environment: 'stagin' }, /no environment "stagin" \(did you mean staging\?\)/],
];
for (const [entry, says] of quarantined)
  test(`quarantine of ${JSON.stringify(entry)}`, async () => {
    const full = { owner: 'me@your.org', until: '2099-01-31', reason: 'X-1', ...entry };
    writeFileSync(join(folder, 'quarantine.json'), JSON.stringify([full]));
    if (says) await assert.rejects(assertQuarantine(), says);
    else await assertQuarantine();
  });
