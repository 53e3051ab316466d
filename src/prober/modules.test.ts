import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Scenario, scenarios } from '../runner/index.ts';
import { Modules, slugOf } from './modules.ts';

const scenario = (title: string, ...tag: string[]): Scenario => ({
  title,
  details: { tag },
  body: () => Promise.resolve(),
  file: 'made-up.spec.ts',
});

const slugs: [title: string, slug: string][] = [
  ['block, then list, then unblock', 'block-then-list-then-unblock'],
  ['  Two users’ lists  ', 'two-users-lists'],
  ['Über-Größe & "x"', 'u-ber-gro-e-x'],
  ['…', 'scenario'],
];
for (const [title, slug] of slugs) test(`${JSON.stringify(title)} is ${slug}`, () => assert.equal(slugOf(title), slug));

const modules = new Modules([
  scenario('one', '@friends', '@read'),
  scenario('One!', '@stories', '@read'),
  scenario('friends', '@friends', '@reversible'),
  scenario('all', '@all', '@read'),
]);

test('no two scenarios have one name, and none has that of an area', () => {
  assert.deepEqual(
    modules.scenarios.map(({ slug }) => slug),
    ['one', 'one-2', 'friends-2', 'all-2'],
  );
});

const finds: [module: string, titles: string[] | undefined][] = [
  ['all', ['one', 'One!', 'friends', 'all']],
  ['friends', ['one', 'friends']],
  ['stories', ['One!']],
  ['one-2', ['One!']],
  ['storage', undefined],
  ['One!', ['One!']],
  ['Two!', undefined],
  ['constructor', undefined],
  ['', undefined],
];
for (const [module, titles] of finds)
  test(`module ${JSON.stringify(module)} is ${titles?.join(', ') ?? 'unknown'}`, () => {
    assert.deepEqual(
      modules.find(module)?.map(({ scenario: { title } }) => title),
      titles,
    );
  });

test('every shipped scenario keeps the name that its title gives', async () => {
  for (const { slug, scenario } of new Modules(await scenarios()).scenarios) assert.equal(slug, slugOf(scenario.title));
});
