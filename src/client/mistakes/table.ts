import { exampleCalls } from '../../spec/index.ts';

export interface MistakeEntry {
  /** What a spec with it looks like; Markdown, for docs/mistakes.md. */
  readonly example: string;
  /** Whether the compiler finds it, in its own words. A run finds each. */
  readonly isCompiled: boolean;
  /** What happens in a run, in both runners. */
  readonly run: 'the file is left out' | 'the scenario ends' | 'the scenario is not played';
  /** What is wrong, with `{names}` for the facts of the case. */
  readonly problem: string;
  readonly cure: string;
}

const usual = { isCompiled: false, run: 'the scenario ends' } as const;

/** Every mistake with its message: what both runners say, and docs/mistakes.md shows. */
const table = {
  'effect beyond the tag': {
    example: '`@read` on a scenario that blocks',
    problem: '{operation} is {effect}, and the scenario is tagged @{declared}, so it may not send it',
    cure: 'tag it @{effect}, or take the call out',
  },
  'no grade': {
    example: "`expect(list).toMention(id)`, `succeeds('it works')`",
    isCompiled: true,
    problem: '{call} states no grade',
    cure: 'begin its text with `documented: ` if the specification supports it, or with `assumed: ` if it is HTTP common sense',
  },
  undocumented: {
    example: '`expect(list.status).toBe(200)`, `answer.json.userId`',
    isCompiled: true,
    problem: 'the specification does not show `{property}` of a response',
    cure: "use .succeeds() or .isRefused() for its outcome and toMention(id) for ids; reach further with response.undocumented('/pointer', 'assumed: …')",
  },
  'no response': {
    example: '`expect(friend.id, …)`',
    isCompiled: true,
    problem: '`expect` is given {given}, and judges responses alone',
    cure: `pass what a call gave: const list = await ${exampleCalls.read}.succeeds()`,
  },
  'documented too much': {
    example: "`expect(answer, 'documented: …').toHold('/userId', id)`",
    problem: 'toHold states something that the specification does not show, and its claim is "{claim}"',
    cure: 'begin the claim with `assumed: `',
  },
  'unknown matcher': {
    example: '`expect(list, …).toContain(id)`',
    isCompiled: true,
    problem: '`expect` has no {matcher}{hint}',
    cure: 'it has {known}, each also after .not',
  },
  'foreign import': {
    example: "`import { test } from '@playwright/test'`, or from another test runner",
    run: 'the file is left out',
    problem: "{module} doesn't belong in a spec: what it sends passes neither ALLOWED_EFFECTS nor redaction",
    cure: "import what a spec needs from '../../fixtures/index.ts' (from 'sextant' where the package is installed)",
  },
  'no tags': {
    example: "`scenario('love', async …)`",
    isCompiled: true,
    run: 'the scenario is not played',
    problem: '"{title}" has no tags',
    cure: "name one area and one effect: scenario('…', { tag: ['@friends', '@read'] }, async …)",
  },
  'no area tag': {
    example: "`tag: ['@read']`",
    run: 'the scenario is not played',
    problem: '"{title}" has no area among its tags ({tags}){hint}',
    cure: 'tag it with one of {areas}',
  },
  'two area tags': {
    example: "`tag: ['@friends', '@stories', '@read']`",
    run: 'the scenario is not played',
    problem: '"{title}" is tagged with several areas ({tags})',
    cure: 'leave one, or tag it @all',
  },
  'no effect tag': {
    example: "`tag: ['@friends']`",
    run: 'the scenario is not played',
    problem: '"{title}" has no effect among its tags ({tags}){hint}',
    cure: 'tag it with the gravest effect of its operations: {effects}',
  },
  'two effect tags': {
    example: "`tag: ['@friends', '@read', '@reversible']`",
    run: 'the scenario is not played',
    problem: '"{title}" is tagged with an effect more than once ({tags})',
    cure: 'leave the gravest effect of its operations',
  },
  'misspelt tag': {
    example: "`tag: ['@friends', '@read', '@restoreable']`",
    run: 'the scenario is not played',
    problem: '"{title}" has the unknown tag {tag}{hint}',
    cure: 'correct it, or give a tag of your team a name that is less like it',
  },
  'unknown fixture': {
    example: '`async ({ frends }) => …`',
    isCompiled: true,
    run: 'the scenario is not played',
    problem: 'a scenario is not given `{name}`{hint}',
    cure: 'it can ask for {known}',
  },
  'no names taken': {
    example: '`async (world) => …`',
    run: 'the scenario is not played',
    problem: 'the first parameter of "{title}" does not name what it takes',
    cure: 'write a pattern without defaults or rest: async ({ friends, friend }) => …',
  },
  'no body': {
    example: "`scenario('love', { tag: … })`",
    isCompiled: true,
    run: 'the scenario is not played',
    problem: '"{title}" has no body',
    cure: 'write it as the last argument: async ({ friends }) => { … }',
  },
  'misspelt operation': {
    example: `\`${exampleCalls.misspelt}\``,
    isCompiled: true,
    problem: '{area} has no operation `{name}`{hint}',
    cure: 'it has {known}',
  },
  'invalid body': {
    example: `\`${exampleCalls.wrongField}\``,
    isCompiled: true,
    problem: '{operation} was not sent: its body violates the documented request schema ({record}): {problems}',
    cure: 'correct it, or send it on purpose with rawBody(…)',
  },
  'missing argument': {
    example: `\`${exampleCalls.emptyParameter}\``,
    problem: '{operation} was not sent: its path has no value for {parameter}',
    cure: 'pass one that is not empty, nor `.` or `..`, which an address leaves out',
  },
  'not awaited': {
    example: `\`${exampleCalls.read}.succeeds();\``,
    problem: '{operation}: its expectation was not awaited, so it proves nothing',
    cure: 'write await before it',
  },
  'no clean-up': {
    example: `\`await ${exampleCalls.change}.succeeds()\` without a \`defer(…)\``,
    problem: '{operation} changes something, and the scenario declares no clean-up',
    cure: 'write on the line after it: defer(() => {area}.{undo}(…).settles())',
  },
  'no expectation': {
    example: `\`await ${exampleCalls.read};\``,
    problem: '{operation}: it has no expectation, so it proves nothing',
    cure: 'end it with .succeeds(), .isRefused(), .settles() or .eventually(…)',
  },
  sleep: {
    example: '`await setTimeout(2_000)`, `page.waitForTimeout(2_000)`',
    run: 'the scenario is not played',
    problem: '`{call}` waits for a fixed time, which is too long here and too short there',
    cure: 'read with .eventually(…), which waits until the response is as expected',
  },
  retry: {
    example: '`scenario.describe.configure({ retries: 2 })`, `while (…)`, `toPass()`',
    run: 'the scenario is not played',
    problem: '`{call}` tries again until it passes, which hides a flake',
    cure: 'find the cause; for a list that lags, read with .eventually(…)',
  },
  only: {
    example: "`scenario.only('love', …)`",
    isCompiled: true,
    run: 'the file is left out',
    problem: '`{call}` leaves every other scenario out',
    cure: 'write scenario(…); to run one alone: npx sextant check local --scenario TITLE, or npx playwright test FILE:LINE',
  },
  'one runner only': {
    example: "`scenario.skip('love', …)`, `scenario.beforeEach(…)`",
    isCompiled: true,
    run: 'the file is left out',
    problem: '`{call}` exists only under Playwright Test, and a spec runs in both runners',
    cure: '{instead}',
  },
  'same title': {
    example: 'two scenarios of one title, in one file or in two',
    run: 'the scenario is not played',
    problem: '"{title}" is the title of another scenario too, at {other}',
    cure: 'rename one of them: reports and histories are kept by title',
  },
  'does not load': {
    example: 'a syntax error, an import that does not exist, a `throw` at the top',
    isCompiled: true,
    run: 'the file is left out',
    problem: 'the file does not load: {error}',
    cure: 'correct it; until then none of its scenarios is played',
  },
  'threw an error': {
    example: '`friend.name.first`, where `friend` has no `name`',
    isCompiled: true,
    problem: 'the spec threw {error}',
    cure: 'correct the line; it says nothing about the service',
  },
  'not configured': {
    example: `\`${exampleCalls.known}\` without \`canReadProfile\``,
    problem: '{operation} needs {key}, which {environment} lacks: the specification does not show its request',
    cure: 'take `{value}` as a parameter, so that the scenario is skipped where it is absent',
  },
  unwritten: {
    example: "`unwritten(friends, '…')`, as `npx sextant new scenario` leaves it",
    problem: 'not written yet: {what}',
    cure: 'write it, and delete this line',
  },
} as const satisfies Record<string, Omit<MistakeEntry, keyof typeof usual> & Partial<MistakeEntry>>;

export type MistakeName = keyof typeof table;

/** Braces with a space in them are code. */
type Names<T extends string> = T extends `${string}{${infer N}}${infer Rest}`
  ? (N extends `${string} ${string}` ? never : N) | Names<Rest>
  : never;

export type Facts<N extends MistakeName> = {
  readonly [F in Names<(typeof table)[N]['problem' | 'cure']>]: string;
};

export const mistakes = Object.fromEntries(
  Object.entries(table).map(([name, entry]) => [name, { ...usual, ...entry }]),
) as Readonly<Record<MistakeName, MistakeEntry>>;
