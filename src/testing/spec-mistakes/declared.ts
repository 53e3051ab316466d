import { inBody, mistakesAt, read } from './mistaken-spec.ts';

/** Mistakes of a file and of how it declares its scenarios; a scenario is declared in line 2. */
export const mistakenDeclarations = mistakesAt(2, [
  {
    mistake: 'foreign import',
    source: `import { test } from '@playwright/test';\ntest('foreign', async () => {});\n`,
    says: /^@playwright\/test doesn't belong in a spec: .*; import what a spec needs from '\.\.\/\.\.\/fixtures\/index\.ts' \(from 'sextant' where the package is installed\)$/,
  },
  {
    mistake: 'no tags',
    source: "scenario('untagged', async ({ friends }) => {\n  await friends.listBlocked().succeeds();\n});\n",
    says: /^"untagged" has no tags; name one area and one effect: scenario\('…', \{ tag: \['@friends', '@read'\] \}, async …\)$/,
  },
  {
    mistake: 'no area tag',
    source: "scenario('nowhere', { tag: ['@frends', '@read'] }, async () => {});\n",
    says: /^"nowhere" has no area among its tags \(@frends @read\) \(did you mean @friends\?\); tag it with one of @all, .*@friends, /,
  },
  {
    mistake: 'two area tags',
    source: "scenario('everywhere', { tag: ['@friends', '@stories', '@read'] }, async () => {});\n",
    says: /^"everywhere" is tagged with several areas \(@friends @stories @read\); leave one, or tag it @all$/,
  },
  {
    mistake: 'no effect tag',
    source: "scenario('harmless', { tag: ['@friends'] }, async () => {});\n",
    says: /^"harmless" has no effect among its tags \(@friends\); tag it with the gravest effect of its operations: @read, /,
  },
  {
    mistake: 'two effect tags',
    source: "scenario('both', { tag: ['@friends', '@read', '@reversible'] }, async () => {});\n",
    says: /^"both" is tagged with an effect more than once \(@friends @read @reversible\); leave the gravest/,
  },
  {
    mistake: 'misspelt tag',
    source: "scenario('restored', { tag: ['@profile', '@overwriting', '@restoreable'] }, async () => {});\n",
    says: /^"restored" has the unknown tag @restoreable \(did you mean @restorable\?\); correct it/,
  },
  {
    mistake: 'unknown fixture',
    source: inBody('of a stranger', 'await frends.listBlocked().succeeds();', '{ frends }'),
    says: /^a scenario is not given `frends` \(did you mean friends\?\); it can ask for environment, data, /,
  },
  {
    mistake: 'no names taken',
    source: inBody('the whole world', 'await world.friends.listBlocked().succeeds();', 'world'),
    says: /^the first parameter of "the whole world" does not name what it takes; write a pattern/,
  },
  {
    mistake: 'no body',
    source: `scenario('bodiless', ${read});\n`,
    says: /^"bodiless" has no body; write it as the last argument/,
  },
  {
    mistake: 'only',
    source: `scenario.only('alone', ${read}, async ({ friends }) => {\n  await friends.listBlocked().succeeds();\n});\n`,
    says: /^`scenario\.only` leaves every other scenario out; write scenario\(…\); to run one alone: npx sextant check local --scenario TITLE/,
  },
  {
    mistake: 'one runner only',
    source: `scenario.skip('left', ${read}, async () => {});\n`,
    says: /^`scenario\.skip` exists only under Playwright Test, and a spec runs in both runners; take a value whose absence skips/,
  },
  {
    mistake: 'same title',
    source: `${inBody('twice', 'await friends.listBlocked().succeeds();')}${inBody('twice', 'await friends.listBlockers().succeeds();')}`,
    line: 5,
    says: /^"twice" is the title of another scenario too, at .*:2; rename one of them/,
  },
  {
    mistake: 'does not load',
    source: "throw new Error('at the top');\n",
    says: /^the file does not load: Error: at the top; correct it; until then none of its scenarios is played$/,
  },
  {
    mistake: 'does not load',
    source: "import { absent } from './absent.ts';\nabsent();\n",
    says: /^the file does not load: .*Cannot find module .*absent\.ts'/,
  },
  {
    mistake: 'does not load',
    source: inBody('unended', 'await friends.listBlocked(.succeeds();'),
    line: 3,
    says: /^the file does not load: SyntaxError: /,
  },
]);
