/** A spec with a mistake. There is one for each kind of mistake that the suite itself must report. */
export interface MistakenSpec {
  /** The mistake, for the name of a test. */
  readonly title: string;
  /** The source below the line that imports `expect`, `scenario` and `unwritten`. */
  readonly source: string;
  /** The line of the mistake. Line 1 is the import. */
  readonly line: number;
  /** The message, without the file and line at its beginning. */
  readonly says: RegExp;
  /** Playwright Test's own message, if Playwright finds the mistake before the suite does. */
  readonly playwright?: RegExp;
  /** The file doesn't load, and Playwright then starts no test at all. */
  readonly keepsFromLoading?: true;
}

/** The text of a mistaken spec. Its first line imports from the file `fixtures`. */
export function specText({ source }: MistakenSpec, fixtures: string): string {
  return `import { expect, scenario, unwritten } from ${JSON.stringify(fixtures)};\n${source}`;
}

const declared = (title: string, tags: string, body: string, names = '{ friends, friend }') =>
  `scenario('${title}', { tag: [${tags}] }, async (${names}) => {\n  ${body}\n});\n`;
const read = (title: string, body: string, names?: string) => declared(title, "'@friends', '@read'", body, names);
const LIST = 'await friends.listBlocked().succeeds();';
const BLOCK = 'await friends.block({ friendId: friend.id }).succeeds();';

export const mistakenSpecs: readonly MistakenSpec[] = [
  {
    title: 'effect beyond the tag',
    source: read('too much', BLOCK),
    line: 3,
    says: /^block is reversible, and the scenario is tagged @read, so the scenario may not send it; tag the scenario @reversible, or remove the call$/,
  },
  {
    title: 'documented too much',
    source: read('held', "expect(await friends.listBlocked().succeeds(), 'documented: a field').toHold('/a', 1);"),
    line: 3,
    says: /^toHold states something that the specification does not show, and its claim is "documented: a field"; begin the claim with `assumed: `$/,
  },
  {
    title: 'foreign import',
    source: `import { test } from '@playwright/test';\ntest('foreign', async () => {});\n`,
    line: 2,
    says: /^@playwright\/test doesn't belong in a spec: .*; import what a spec needs from '\.\.\/\.\.\/fixtures\/index\.ts' \(from 'sextant' where the package is installed\)$/,
    keepsFromLoading: true,
  },
  {
    title: 'no area tag',
    source: declared('nowhere', "'@frends', '@read'", LIST),
    line: 2,
    says: /^"nowhere" has no area among its tags \(@frends @read\) \(did you mean @friends\?\); tag it with one of @all, .*@friends, /,
  },
  {
    title: 'two area tags',
    source: declared('everywhere', "'@friends', '@stories', '@read'", LIST),
    line: 2,
    says: /^"everywhere" is tagged with several areas \(@friends @stories @read\); leave one, or tag it @all$/,
  },
  {
    title: 'no effect tag',
    source: declared('harmless', "'@friends'", LIST),
    line: 2,
    says: /^"harmless" has no effect among its tags \(@friends\); tag it with the gravest effect of its operations: @read, /,
  },
  {
    title: 'two effect tags',
    source: declared('both', "'@friends', '@read', '@reversible'", LIST),
    line: 2,
    says: /^"both" is tagged with an effect more than once \(@friends @read @reversible\); leave the gravest/,
  },
  {
    title: 'misspelt tag',
    source: declared('restored', "'@profile', '@overwriting', '@restoreable'", LIST),
    line: 2,
    says: /^"restored" has the unknown tag @restoreable \(did you mean @restorable\?\); correct it/,
  },
  {
    title: 'no names taken',
    source: read('the whole world', 'await world.friends.listBlocked().succeeds();', 'world'),
    line: 2,
    says: /^the first parameter of "the whole world" does not name what it takes; write a pattern/,
    playwright: /First argument must use the object destructuring pattern: world/,
  },
  {
    title: 'missing argument',
    source: declared(
      'nothing',
      "'@storage', '@irreversible'",
      "await storage.deleteItem({ id: '' }).succeeds();",
      '{ storage }',
    ),
    line: 3,
    says: /^deleteItem was not sent: its path needs a value for id; pass a text that is not empty, `\.` or `\.\.`$/,
  },
  {
    title: 'not awaited',
    source: read('in haste', 'friends.listBlocked().succeeds();'),
    line: 3,
    says: /^listBlocked was not awaited, so it proves nothing; write await before it$/,
  },
  {
    title: 'not awaited, and not a call',
    source: read('in haste again', `hasSettled();\n  ${LIST}`, '{ friends, hasSettled }'),
    line: 3,
    says: /^hasSettled was not awaited, so it proves nothing; write await before it$/,
  },
  {
    title: 'no clean-up',
    source: declared('left behind', "'@friends', '@reversible'", BLOCK),
    line: 2,
    says: /^block changes something, and the scenario declares no clean-up; write on the line after it: defer\(\(\) => friends\.unblock\(…\)\.settles\(\)\)$/,
  },
  {
    title: 'no expectation',
    source: read('unjudged', 'await friends.listBlocked();'),
    line: 3,
    says: /^listBlocked has no expectation, so it proves nothing; end it with \.succeeds\(\), /,
  },
  {
    title: 'same title',
    source: `${read('twice', LIST)}${read('twice', 'await friends.listBlockers().succeeds();')}`,
    line: 5,
    says: /^"twice" is the title of another scenario too, at .*:2; rename one of them/,
    playwright: /duplicate test title "twice", first declared in .*:2/,
    keepsFromLoading: true,
  },
  {
    title: 'unknown name',
    source: read('misnamed', LIST, '{ friends, frend }'),
    line: 2,
    says: /^there is no fixture `frend` \(did you mean friend\?\); correct the name to one of friends, .*, friend, /,
    playwright: /Test has unknown parameter "frend"/,
    keepsFromLoading: true,
  },
  {
    title: 'not configured',
    source: declared(
      'unconfigured',
      "'@profile', '@read'",
      'await profile.readProfile({ userId: friend.id }).succeeds();',
      '{ profile, friend }',
    ),
    line: 3,
    says: /^readProfile needs FRIEND_PROFILE_REQUEST, which \w+ lacks: .*; take `canReadProfile` as a parameter/,
  },
  {
    title: 'unwritten',
    source: read('later', "unwritten(friends, 'what friends should answer');"),
    line: 3,
    says: /^not written yet: what friends should answer; write it, and delete this line$/,
  },
  {
    title: 'several at once',
    source: declared('astray', '', LIST),
    line: 2,
    says: /^"astray" has no area among its tags \(\); .*(\n| · )\S+:2: "astray" has no effect among its tags/s,
  },
  // The compiler finds an invalid body, too. But Node runs specs without the compiler: it only strips their types.
  {
    title: 'invalid body',
    source: declared(
      'another field',
      "'@friends', '@reversible'",
      'await friends.block({ friend: friend.id }).succeeds();',
    ),
    line: 3,
    says: /^block was not sent: its body violates the documented request schema \(friendReference\): .*friendId.*; correct it, or send it on purpose with rawBody\(…\)$/,
  },
  ...['only', 'skip', 'describe.only', 'beforeEach'].map((member) => ({
    title: `scenario.${member}`,
    source: `scenario.${member}('${member}', { tag: ['@friends', '@read'] }, async () => {});\n`,
    line: 2,
    says: new RegExp(
      `^(the file does not load: SpecMistake: )?\`scenario\\.${member}\` exists only under Playwright Test, .*; write only scenario\\(…\\)`,
    ),
    keepsFromLoading: true as const,
  })),
  ...[
    [
      "throw new Error('at the top');\n",
      2,
      /^the file does not load: Error: at the top; correct it; until then Sextant runs none/,
    ],
    [
      "import { absent } from './absent.ts';\nabsent();\n",
      2,
      /^the file does not load: .*Cannot find module .*absent\.ts'/,
    ],
    [read('unended', 'await friends.listBlocked(.succeeds();'), 3, /^the file does not load: SyntaxError: /],
    ["scenario('bodiless');\n", 2, /^"bodiless" has no area/],
  ].map(([source, line, says], index) => ({
    title: `does not load (${index})`,
    ...({ source, line, says } as Pick<MistakenSpec, 'source' | 'line' | 'says'>),
    keepsFromLoading: true as const,
  })),
  ...(
    [
      ["throw new Error('not so');", 3, 'Error: not so'],
      ["throw 'not so';", 2, "'not so'"],
      ['throw undefined;', 2, 'undefined'],
      ['void friend.name.first;', 3, "TypeError: Cannot read properties of undefined (reading 'first')"],
      ['await friends.blok({ friendId: friend.id });', 3, 'TypeError: friends.blok is not a function'],
      [
        "expect(await friends.listBlocked().succeeds(), 'assumed: x').toContain('x');",
        3,
        'TypeError: expect(...).toContain is not a function',
      ],
    ] as const
  ).map(([body, line, error], index) => ({
    title: `threw ${error}`,
    source: read(`thrown ${index}`, body),
    line,
    says: new RegExp(`^the spec threw ${RegExp.escape(error)}; correct the line; it says nothing about the service$`),
    ...(/Error/.test(error) ? { playwright: new RegExp(`^${RegExp.escape(error)}`) } : {}),
  })),
  // Errors in code that the spec doesn't await. The scenario runs long enough for them to occur.
  ...(
    [
      ["[1, 2].map(async () => {\n    throw new Error('lost');\n  });", 4, 'rejection'],
      ["Promise.reject(new Error('lost'));", 3, 'rejection'],
      [`(async () => {\n    ${LIST}\n    throw new Error('lost');\n  })();`, 5, 'rejection'],
      ["friends.listBlocked().succeeds().then(() => {\n    throw new Error('lost');\n  });", 4, 'rejection'],
      ["setTimeout.call(null, () => {\n    throw new Error('lost');\n  }, 0);", 4, 'exception'],
      ["queueMicrotask(() => {\n    throw new Error('lost');\n  });", 4, 'exception'],
      ["process.nextTick(() => {\n    throw new Error('lost');\n  });", 4, 'exception'],
      [
        "new AbortController().signal.addEventListener('abort', () => {});\n  setImmediate(() => {\n    throw new Error('lost');\n  });",
        5,
        'exception',
      ],
      [
        "const target = new EventTarget();\n  target.addEventListener('x', () => {\n    throw new Error('lost');\n  });\n  target.dispatchEvent(new Event('x'));",
        5,
        'exception',
      ],
      [
        "setImmediate(() => process.getBuiltinModule('node:events').prototype.emit('error', new Error('lost')));",
        3,
        'exception',
      ],
    ] as const
  ).map(([body, line, kind], index) => ({
    title: `${kind} that nothing catches`,
    source: read(`lost ${index}`, `${body}\n  ${LIST}\n  ${LIST}`),
    line,
    says:
      kind === 'rejection'
        ? /^a promise was rejected, and nothing waits for it: Error: lost; await it, or several with Promise\.all$/
        : /^a timer or an event threw an error that nothing catches: Error: lost; correct the line$/,
  })),
  ...(
    [
      ['process.exit(0);', 3],
      ["process['exit']();", 3],
      ['globalThis.process.exit(1);', 3],
      ['const { exit } = process;\n  exit(0);', 4],
      ["process.getBuiltinModule('node:process').exit(0);", 3],
      ['try {\n    process.exit(0);\n  } catch {}', 4],
      ['setImmediate(() => process.exit(0));', 3],
      ['setImmediate(process.exit);', 2],
      ['process.reallyExit(0);', 3],
      ['process.abort();', 3],
    ] as const
  ).map(([body, line], index) => ({
    title: body,
    source: read(`exit ${index}`, `${body}\n  ${LIST}\n  ${LIST}`),
    line,
    says: /^process\.(exit|reallyExit|abort) would end the whole run; remove it, or throw an error$/,
  })),
  {
    title: 'exit by name',
    source: `import { exit } from 'node:process';\n${read('exit by name', `exit(0);\n  ${LIST}`)}`,
    line: 4,
    says: /^process\.exit would end the whole run; remove it, or throw an error$/,
  },
  {
    title: 'does not load (exit)',
    source: 'process.exit(0);\n',
    line: 2,
    says: /^process\.exit would end the whole run; remove it, or throw an error$/,
    keepsFromLoading: true,
  },
];
