import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mistakenSpecs, specText } from '../../src/testing/spec-mistakes/index.ts';
import { mistakesOfSpecs } from './mistakes-of-specs.ts';
import { foundText } from './spec-file.ts';

const file = 'tests/scenarios/x.spec.ts';
const said = (text: string) => mistakesOfSpecs(new Map([[file, text]])).map(foundText);

for (const row of mistakenSpecs)
  test(`${row.mistake}: ${row.isChecked ? 'found, with line and cure' : 'left to the compiler or a run'}: ${row.source.split('\n')[row.line - 2]}`, () => {
    const all = said(specText(row, '../../fixtures/index.ts'));
    const place = `${file}:${row.line}: `;
    const found = all.filter((text) => text.startsWith(place) && row.says.test(text.slice(place.length)));
    assert.equal(found.length, row.isChecked ? 1 : 0, all.join('\n'));
  });

const fixtures = "import { expect, scenario } from '../../fixtures/index.ts';\n";
const body = (lines: string, tag = "['@friends', '@reversible']") =>
  `${fixtures}scenario('story', { tag: ${tag} }, async ({ friends, friend, asFriend, call, defer }) => {\n${lines}\n});\n`;

// Loops over lists, calls that are judged later, clean-up that returns its call and computed tags are in the project's own specs.
const rows: [title: string, text: string, expected: RegExp | undefined][] = [
  [
    'calls side by side',
    body('await Promise.all([friends.listBlocked().succeeds(), friends.listBlockers().succeeds()]);'),
    undefined,
  ],
  [
    'clean-up of several changes at once, by a list',
    body(
      'for (const { id } of [friend]) await friends.block({ friendId: id }).succeeds();\ndefer(() => friends.unblock({ friendId: friend.id }).settles());',
    ),
    undefined,
  ],
  ['a change that is refused', body('await friends.block({ friendId: friend.id }).isRefused();'), undefined],
  [
    'a change that is undone in the story alone, and stays if the story breaks off',
    body(
      'await friends.block({ friendId: friend.id }).succeeds();\nawait friends.unblock({ friendId: friend.id }).succeeds();',
    ),
    /:2: block changes something, and the scenario declares no clean-up; .*friends\.unblock/,
  ],
  [
    'a changed call without an expectation',
    body("friends.listBlocked().without('app-ver');"),
    /:3: listBlocked: it has no expectation/,
  ],
  [
    'void before a judgement',
    body('void friends.listBlocked().succeeds();'),
    /:3: listBlocked: its expectation was not awaited/,
  ],
  [
    'an operation by name',
    body("await call('deleteItem', { id: 'a' }).succeeds();"),
    /:3: deleteItem is irreversible, .* tagged @reversible/,
  ],
  ['another package', `import 'undici';\n${body('')}`, /:1: undici doesn't belong in a spec/],
  ['fetch', body("await fetch('http://a.test');"), /:3: fetch\(…\) doesn't belong in a spec/],
  [
    'try in a loop',
    body('for (const _ of [1, 2]) try { await friends.listBlocked().succeeds(); } catch {}'),
    /:3: `try in a loop` tries again/,
  ],
  [
    'a default in the parameter',
    `${fixtures}scenario('story', { tag: ['@all', '@read'] }, async ({ friends = 1 }) => {});\n`,
    /:2: the first parameter of "story"/,
  ],
];

for (const [title, text, expected] of rows)
  test(`${title}: ${expected ? 'named' : 'fine'}`, () => {
    const all = said(text);
    if (!expected) return assert.deepEqual(all, []);
    assert.equal(all.length, 1, all.join('\n'));
    assert.match(all[0] ?? '', expected);
  });

test('two files with one title: the second is named, with the line of the first', () => {
  const found = mistakesOfSpecs(
    new Map([
      ['tests/a/a.spec.ts', body('')],
      ['tests/a/b.spec.ts', body('')],
    ]),
  ).map(foundText);
  assert.deepEqual(found, [
    'tests/a/b.spec.ts:2: "story" is the title of another scenario too, at tests/a/a.spec.ts:2; rename one of them: reports and histories are kept by title',
  ]);
});
