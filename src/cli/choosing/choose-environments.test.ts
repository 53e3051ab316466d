import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ConfigurationError } from '../../config/index.ts';
import { ownFolder } from '../../testing/servers/own-service.ts';
import { chooseEnvironments } from './choose-environments.ts';

const folder = ownFolder();
const elsewhere = join(folder, 'elsewhere');
mkdirSync(elsewhere);
for (const name of ['prod-de', 'prod-fr', 'staging', 'local']) writeFileSync(join(folder, `${name}.env`), '');
for (const name of ['one', 'two']) writeFileSync(join(elsewhere, `${name}.env`), '');

const rows: [words: string[], chosen: string[]][] = [
  [['staging'], ['staging']],
  [['prod-*'], ['prod-de', 'prod-fr']],
  [['PROD-?r'], ['prod-fr']],
  [
    ['staging', 'prod-*', 'staging'],
    ['staging', 'prod-de', 'prod-fr'],
  ],
  [['*'], ['local', 'prod-de', 'prod-fr', 'staging']],
  // Loading it says which names there are.
  [['prod'], ['prod']],
  [[`${elsewhere}/`], ['one', 'two']],
];

for (const [words, chosen] of rows)
  test(`--env ${words.map((word) => word.replace(folder, '')).join(' --env ')}`, () => {
    const env = { SEXTANT_ENVIRONMENTS: folder };
    assert.deepEqual(chooseEnvironments(words, env), chosen);
    assert.equal(env.SEXTANT_ENVIRONMENTS, words[0]?.includes('/') ? elsewhere : folder);
  });

const mistakes: [words: string[], says: RegExp][] = [
  [
    ['qa-*', 'prod-*', 'x?'],
    /^No environment matches --env 'qa-\*'\. Environments: local, prod-de, prod-fr, staging\.\nNo environment matches --env 'x\?'/,
  ],
  [[`${folder}/nowhere/`], /nowhere.*Environments in .*nowhere: none\./],
  [['staging', `${elsewhere}/`], /come from one folder/],
  [[`${elsewhere}/two`], /^--env .*elsewhere\/two: an environment is chosen by its name or a pattern, not by a path/],
  [['../../x/evil', 'staging', 'a\\b'], /^--env \.\.\/\.\.\/x\/evil, a\\b: an environment is chosen by its name/],
  [[`${elsewhere}/t*`], /not by a path/],
];

for (const [words, says] of mistakes)
  test(`--env ${words.map((word) => word.replace(folder, '')).join(' --env ')} is one clear error`, () => {
    const env = { SEXTANT_ENVIRONMENTS: folder };
    const isClear = (error: unknown) => error instanceof ConfigurationError && says.test(error.message);
    assert.throws(() => chooseEnvironments(words, env), isClear);
    assert.equal(env.SEXTANT_ENVIRONMENTS, folder);
  });
