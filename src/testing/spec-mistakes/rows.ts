import type { MistakeName } from '../../client/mistakes/table.ts';

/** A spec with one mistake, and what is said of it. */
export interface MistakenSpec {
  readonly mistake: MistakeName;
  /** Below the line that imports `expect`, `scenario` and `unwritten`. */
  readonly source: string;
  /** The line of the mistake, where the import is line 1. */
  readonly line: number;
  /** The message after its place. */
  readonly says: RegExp;
  /** What Playwright Test says itself, where it finds the mistake before the suite can. */
  readonly playwright?: RegExp;
  /** Whether `npm run check` finds it beside the compiler. */
  readonly isChecked: boolean;
}

const read = "{ tag: ['@friends', '@read'] }";
const inBody = (title: string, line: string, names = '{ friends, friend }') =>
  `scenario('${title}', ${read}, async (${names}) => {\n  ${line}\n});\n`;

/** One for each way in which a mistake is made; in `line` 2 it is declared, in line 3 its body begins. */
export const mistakenSpecs: readonly MistakenSpec[] = [
  {
    mistake: 'effect beyond the tag',
    source: inBody('too much', 'await friends.block({ friendId: friend.id }).succeeds();'),
    line: 3,
    says: /^block is reversible, and the scenario is tagged @read, so it may not send it; tag it @reversible, or take the call out$/,
    isChecked: true,
  },
  {
    mistake: 'no grade',
    source: inBody('ungraded', 'expect(await friends.listBlocked().succeeds()).toMention(friend.id);'),
    line: 3,
    says: /^expect\(…\) states no grade; begin its text with `documented: ` if .*, or with `assumed: ` if it is HTTP common sense$/,
    isChecked: true,
  },
  {
    mistake: 'no grade',
    source: inBody('claimed', "await friends.listBlocked().succeeds('it works');"),
    line: 3,
    says: /^the claim of listBlocked\(…\) states no grade; begin its text/,
    isChecked: true,
  },
  {
    mistake: 'undocumented',
    source: inBody(
      'status',
      "const list = await friends.listBlocked().succeeds();\n  expect(list.status, 'assumed: ok').toBe(200);",
    ),
    line: 4,
    says: /^the specification does not show `status` of a response; use \.succeeds\(\) or \.isRefused\(\).*response\.undocumented\('\/pointer', 'assumed: …'\)$/,
    isChecked: true,
  },
  {
    mistake: 'undocumented',
    source: inBody('json', 'const list = await friends.listBlocked().succeeds();\n  void list.json.userId;'),
    line: 4,
    says: /^the specification does not show `json` of a response; use/,
    isChecked: true,
  },
  {
    mistake: 'no response',
    source: inBody('of an id', "expect(friend.id, 'assumed: it is one').toMention(friend.id);"),
    line: 3,
    says: /^`expect` is given a string, and judges responses alone; pass what a call gave/,
    isChecked: false,
  },
  {
    mistake: 'documented too much',
    source: inBody('held', "expect(await friends.listBlocked().succeeds(), 'documented: a field').toHold('/a', 1);"),
    line: 3,
    says: /^toHold states something that the specification does not show, and its claim is "documented: a field"; begin the claim with `assumed: `$/,
    isChecked: true,
  },
  {
    mistake: 'unknown matcher',
    source: inBody('matcher', "expect(await friends.listBlocked().succeeds(), 'assumed: x').toMentoin(friend.id);"),
    line: 3,
    says: /^`expect` has no toMentoin \(did you mean toMention\?\); it has toMention, toShow, toHold, each also after \.not$/,
    isChecked: true,
  },
  {
    mistake: 'foreign import',
    source: `import { test } from '@playwright/test';\ntest('foreign', async () => {});\n`,
    line: 2,
    says: /^@playwright\/test doesn't belong in a spec: .*; import what a spec needs from '\.\.\/\.\.\/fixtures\/index\.ts'$/,
    isChecked: true,
  },
  {
    mistake: 'no tags',
    source: "scenario('untagged', async ({ friends }) => {\n  await friends.listBlocked().succeeds();\n});\n",
    line: 2,
    says: /^"untagged" has no tags; name one area and one effect: scenario\('…', \{ tag: \['@friends', '@read'\] \}, async …\)$/,
    isChecked: true,
  },
  {
    mistake: 'no area tag',
    source: "scenario('nowhere', { tag: ['@frends', '@read'] }, async () => {});\n",
    line: 2,
    says: /^"nowhere" has no area among its tags \(@frends @read\) \(did you mean @friends\?\); tag it with one of @all, .*@friends, /,
    isChecked: true,
  },
  {
    mistake: 'two area tags',
    source: "scenario('everywhere', { tag: ['@friends', '@stories', '@read'] }, async () => {});\n",
    line: 2,
    says: /^"everywhere" is tagged with several areas \(@friends @stories @read\); leave one, or tag it @all$/,
    isChecked: true,
  },
  {
    mistake: 'no effect tag',
    source: "scenario('harmless', { tag: ['@friends'] }, async () => {});\n",
    line: 2,
    says: /^"harmless" has no effect among its tags \(@friends\); tag it with the gravest effect of its operations: @read, /,
    isChecked: true,
  },
  {
    mistake: 'two effect tags',
    source: "scenario('both', { tag: ['@friends', '@read', '@reversible'] }, async () => {});\n",
    line: 2,
    says: /^"both" is tagged with an effect more than once \(@friends @read @reversible\); leave the gravest/,
    isChecked: true,
  },
  {
    mistake: 'misspelt tag',
    source: "scenario('restored', { tag: ['@profile', '@overwriting', '@restoreable'] }, async () => {});\n",
    line: 2,
    says: /^"restored" has the unknown tag @restoreable \(did you mean @restorable\?\); correct it/,
    isChecked: true,
  },
  {
    mistake: 'unknown fixture',
    source: inBody('of a stranger', 'await frends.listBlocked().succeeds();', '{ frends }'),
    line: 2,
    says: /^a scenario is not given `frends` \(did you mean friends\?\); it can ask for environment, data, /,
    isChecked: true,
  },
  {
    mistake: 'no names taken',
    source: inBody('the whole world', 'await world.friends.listBlocked().succeeds();', 'world'),
    line: 2,
    says: /^the first parameter of "the whole world" does not name what it takes; write a pattern/,
    isChecked: true,
  },
  {
    mistake: 'no body',
    source: `scenario('bodiless', ${read});\n`,
    line: 2,
    says: /^"bodiless" has no body; write it as the last argument/,
    isChecked: true,
  },
  {
    mistake: 'misspelt operation',
    source: inBody('misspelt', 'await friends.blok({ friendId: friend.id }).succeeds();'),
    line: 3,
    says: /^friends has no operation `blok` \(did you mean block\?\); it has block, listBlocked, listBlockers, unblock$/,
    isChecked: true,
  },
  {
    mistake: 'invalid body',
    source: inBody('another field', 'await friends.block({ friend: friend.id }).succeeds();').replace(
      '@read',
      '@reversible',
    ),
    line: 3,
    says: /^block was not sent: its body violates the documented request schema \(friendReference\): .*friendId.*; correct it, or send it on purpose with rawBody\(…\)$/,
    isChecked: false,
  },
  {
    mistake: 'missing argument',
    source:
      "scenario('nothing', { tag: ['@storage', '@irreversible'] }, async ({ storage }) => {\n  await storage.deleteItem({ id: '' }).succeeds();\n});\n",
    line: 3,
    says: /^deleteItem was not sent: its path has no value for id; pass one that is not empty$/,
    isChecked: false,
  },
  {
    mistake: 'not awaited',
    source: inBody('in haste', 'friends.listBlocked().succeeds();'),
    line: 3,
    says: /^listBlocked: its expectation was not awaited, so it proves nothing; write await before it$/,
    isChecked: true,
  },
  {
    mistake: 'no expectation',
    source: inBody('unjudged', 'await friends.listBlocked();'),
    line: 3,
    says: /^listBlocked: it has no expectation, so it proves nothing; end it with \.succeeds\(\), /,
    isChecked: true,
  },
  {
    mistake: 'sleep',
    source: inBody(
      'asleep',
      'await new Promise((wake) => setTimeout(wake, 1));\n  await friends.listBlocked().succeeds();',
    ),
    line: 3,
    says: /^`setTimeout\(…\)` waits for a fixed time, .*; read with \.eventually\(…\)/,
    isChecked: true,
  },
  {
    mistake: 'sleep',
    source: `import { setTimeout as wait } from 'node:timers/promises';\n${inBody('asleep again', 'await wait(1);')}`,
    line: 2,
    says: /^`node:timers\/promises` waits for a fixed time, /,
    isChecked: true,
  },
  {
    mistake: 'retry',
    source: inBody('again and again', 'while (true) {\n    await friends.listBlocked().succeeds();\n    break;\n  }'),
    line: 3,
    says: /^`while \(…\)` tries again until it passes, which hides a flake; find the cause; /,
    isChecked: true,
  },
  {
    mistake: 'retry',
    source: `scenario.describe.configure({ retries: 2 });\n${inBody('retried', 'await friends.listBlocked().succeeds();')}`,
    line: 2,
    says: /^`scenario\.describe\.configure\(\{ retries: … \}\)` tries again until it passes/,
    isChecked: true,
  },
  {
    mistake: 'only',
    source: `scenario.only('alone', ${read}, async ({ friends }) => {\n  await friends.listBlocked().succeeds();\n});\n`,
    line: 2,
    says: /^`scenario\.only` leaves every other scenario out; write scenario\(…\); to run one alone: npx sextant check local --scenario TITLE/,
    isChecked: true,
  },
  {
    mistake: 'one runner only',
    source: `scenario.skip('left', ${read}, async () => {});\n`,
    line: 2,
    says: /^`scenario\.skip` exists only under Playwright Test, and a spec runs in both runners; take a value whose absence skips/,
    isChecked: true,
  },
  {
    mistake: 'same title',
    source: `${inBody('twice', 'await friends.listBlocked().succeeds();')}${inBody('twice', 'await friends.listBlockers().succeeds();')}`,
    line: 5,
    says: /^"twice" is the title of another scenario too, at .*:2; rename one of them/,
    isChecked: true,
  },
  {
    mistake: 'does not load',
    source: "throw new Error('at the top');\n",
    line: 2,
    says: /^the file does not load: Error: at the top; correct it; until then none of its scenarios is played$/,
    playwright: /Error: at the top/,
    isChecked: false,
  },
  {
    mistake: 'does not load',
    source: "import { absent } from './absent.ts';\nabsent();\n",
    line: 2,
    says: /^the file does not load: .*Cannot find module .*absent\.ts'/,
    playwright: /Cannot find module '\.\/absent\.ts'|absent/,
    isChecked: false,
  },
  {
    mistake: 'does not load',
    source: inBody('unended', 'await friends.listBlocked(.succeeds();'),
    line: 3,
    says: /^the file does not load: SyntaxError: /,
    playwright: /SyntaxError: .*Unexpected token \(3:/,
    isChecked: true,
  },
  {
    mistake: 'threw an error',
    source: inBody('thrown', 'await friends.listBlocked().succeeds();\n  void friend.name.first;'),
    line: 4,
    says: /^the spec threw TypeError: Cannot read properties of undefined \(reading 'first'\); correct the line; it says nothing about the service$/,
    playwright: /^TypeError: Cannot read properties of undefined \(reading 'first'\)/,
    isChecked: false,
  },
  {
    mistake: 'not configured',
    source:
      "scenario('unconfigured', { tag: ['@profile', '@read'] }, async ({ profile, friend }) => {\n  await profile.readProfile({ userId: friend.id }).succeeds();\n});\n",
    line: 3,
    says: /^readProfile needs FRIEND_PROFILE_REQUEST, which \w+ lacks: .*; take `canReadProfile` as a parameter/,
    isChecked: false,
  },
  {
    mistake: 'unwritten',
    source: inBody('later', "unwritten(friends, 'what friends should answer');"),
    line: 3,
    says: /^not written yet: what friends should answer; write it, and delete this line$/,
    isChecked: true,
  },
];

/** The text of such a spec, whose first line imports from `fixtures`. */
export function specText({ source }: MistakenSpec, fixtures: string): string {
  return `import { expect, scenario, unwritten } from ${JSON.stringify(fixtures)};\n${source}`;
}
