import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ConfigurationError } from '../../environment/index.ts';
import type { Scenario } from '../../run/index.ts';
import { ownFolder } from '../../testing/servers/own-service.ts';
import { chooseEnvironments } from './choose-environments.ts';
import { checkedQuarantine, chooseScenarios, type ScenarioChoice } from './choose-scenarios.ts';

const folder = ownFolder();
process.env.SEXTANT_ENVIRONMENTS = folder;
for (const name of ['prod-de', 'prod-fr', 'staging', 'local']) writeFileSync(join(folder, `${name}.env`), '');

const rows: [words: string[], chosen: string[]][] = [
  [['staging'], ['staging']],
  [['prod-*'], ['prod-de', 'prod-fr']],
  [['PROD-?r'], ['prod-fr']],
  [
    ['staging', 'prod-*', 'staging'],
    ['staging', 'prod-de', 'prod-fr'],
  ],
  [['*'], ['local', 'prod-de', 'prod-fr', 'staging']],
  // `chooseEnvironments` doesn't check a plain name: loading the environment reports an unknown name, and lists the known names.
  [['prod'], ['prod']],
];

for (const [words, chosen] of rows)
  test(`--env ${words.join(' --env ')}`, () => assert.deepEqual(chooseEnvironments(words), chosen));

const mistakes: [words: string[], says: RegExp][] = [
  [
    ['qa-*', 'prod-*', 'x?'],
    /^No environment matches --env 'qa-\*'\. Environments: local, prod-de, prod-fr, staging\. .*\nNo environment matches --env 'x\?'/,
  ],
  [
    ['elsewhere/'],
    /^--env elsewhere\/: an environment is chosen .*, not by a path\. Set SEXTANT_ENVIRONMENTS to its folder/,
  ],
  [['../../x/evil', 'staging', 'a\\b'], /^--env \.\.\/\.\.\/x\/evil, a\\b: an environment is chosen by its name/],
  [['elsewhere/t*'], /not by a path/],
];

for (const [words, says] of mistakes)
  test(`--env ${words.join(' --env ')} is one clear error`, () => {
    const isClear = (error: unknown) => error instanceof ConfigurationError && says.test(error.message);
    assert.throws(() => chooseEnvironments(words), isClear);
  });

const scenario = (title: string, ...tags: string[]) =>
  ({ title, details: { tag: tags }, file: `/x/tests/scenarios/${tags[0]?.slice(1)}.spec.ts` }) as unknown as Scenario;

const all = [
  scenario('update profile', '@profile', '@overwriting', '@restorable'),
  scenario('Get friend profile, as documented', '@profile', '@overwriting'),
  scenario('clone type', '@gameDesign', '@irreversible'),
  scenario('read-only round', '@all', '@read'),
];
const [update, documented, clone, round] = all.map(({ title }) => title);

const choices: [choice: ScenarioChoice, chosen: (string | undefined)[]][] = [
  [{}, [update, documented, clone, round]],
  [{ scenario: 'clone type' }, [clone]],
  [{ scenario: '*profile*' }, [update, documented]],
  [{ scenario: 'GET*' }, [documented]],
  [{ scenario: 'clone?type' }, [clone]],
  [{ scenario: '*, as*' }, [documented]],
  [{ area: ['profile'] }, [update, documented]],
  [{ area: ['gameDesign', 'profile'] }, [update, documented, clone]],
  [{ tag: ['@overwriting'] }, [update, documented]],
  // A tag must match as a whole: `read` doesn't match @reading.
  [{ tag: ['read'] }, [round]],
  [{ tag: ['read', 'irreversible'] }, [clone, round]],
  [{ grep: 'PROFILE' }, [update, documented]],
  [{ grep: '^scenarios/all' }, [round]],
  [{ grep: '/type$|@read$/i' }, [round]],
  [{ grep: 'update|clone', area: ['gameDesign'] }, [clone]],
  [{ area: ['profile'], tag: ['restorable'], grep: 'update', scenario: '*' }, [update]],
];

for (const [choice, titles] of choices)
  test(`${JSON.stringify(choice)} chooses ${titles.length}`, () => {
    assert.deepEqual(
      chooseScenarios(all, choice).map(({ title }) => title),
      titles,
    );
  });

test('--keep-items leaves out what uses up data for good', () => {
  const titles = chooseScenarios(all, { keepItems: true }).map(({ title }) => title);
  assert.deepEqual(
    titles,
    all.filter(({ details }) => !details.tag.includes('@irreversible')).map(({ title }) => title),
  );
  assert.ok(titles.length > 0 && titles.length < all.length);
});

const none: [choice: ScenarioChoice, says: RegExp][] = [
  [
    { scenario: 'clone.type' },
    /^None of 4 scenarios matches --scenario "clone\.type" \(did you mean clone type\?\)\.$/,
  ],
  [
    { scenario: 'something else' },
    /^None of 4 .*\. In --scenario, "\*" matches any text, e\.g\. --scenario '\*profile\*'\.$/,
  ],
  [
    { area: ['profile'], grep: 'clone' },
    /matches --area profile --grep 'clone'\. `npx sextant environments check NAME` lists every scenario; `check --scenario/,
  ],
  [{ tag: ['reed'] }, /^None of 4 scenarios matches --tag reed \(did you mean @read\?\)\.$/],
  [{ tag: ['nonsense'] }, /^None of 4 scenarios matches --tag nonsense\. Tags: @all @gameDesign .*\.$/],
];
for (const [choice, says] of none)
  test(`${JSON.stringify(choice)}: the error is one line, with what was meant`, () => {
    const isClear = (error: unknown) => error instanceof ConfigurationError && says.test(error.message);
    assert.throws(() => chooseScenarios(all, choice), isClear);
  });

const quarantining = ownFolder();
writeFileSync(join(quarantining, 'staging.env'), '');

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
    process.env.SEXTANT_ENVIRONMENTS = quarantining;
    writeFileSync(join(quarantining, 'quarantine.json'), JSON.stringify([full]));
    if (says) await assert.rejects(checkedQuarantine(), says);
    else assert.deepEqual(await checkedQuarantine(), [full]);
  });
