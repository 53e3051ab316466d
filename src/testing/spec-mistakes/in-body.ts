import { inBody, mistakesAt } from './mistaken-spec.ts';

/** Mistakes of what a scenario does; its body begins in line 3. */
export const mistakenBodies = mistakesAt(3, [
  {
    mistake: 'effect beyond the tag',
    source: inBody('too much', 'await friends.block({ friendId: friend.id }).succeeds();'),
    says: /^block is reversible, and the scenario is tagged @read, so it may not send it; tag it @reversible, or take the call out$/,
  },
  {
    mistake: 'no grade',
    source: inBody('ungraded', 'expect(await friends.listBlocked().succeeds()).toMention(friend.id);'),
    says: /^expect\(…\) states no grade; begin its text with `documented: ` if .*, or with `assumed: ` if it is HTTP common sense$/,
  },
  {
    mistake: 'no grade',
    source: inBody('claimed', "await friends.listBlocked().succeeds('it works');"),
    says: /^the claim of listBlocked\(…\) states no grade; begin its text/,
  },
  {
    mistake: 'undocumented',
    source: inBody(
      'status',
      "const list = await friends.listBlocked().succeeds();\n  expect(list.status, 'assumed: ok').toBe(200);",
    ),
    line: 4,
    says: /^the specification does not show `status` of a response; use \.succeeds\(\) or \.isRefused\(\).*response\.undocumented\('\/pointer', 'assumed: …'\)$/,
  },
  {
    mistake: 'undocumented',
    source: inBody('json', 'const list = await friends.listBlocked().succeeds();\n  void list.json.userId;'),
    line: 4,
    says: /^the specification does not show `json` of a response; use/,
  },
  {
    mistake: 'no response',
    source: inBody('of an id', "expect(friend.id, 'assumed: it is one').toMention(friend.id);"),
    says: /^`expect` is given a string, and judges responses alone; pass what a call gave/,
  },
  {
    mistake: 'documented too much',
    source: inBody('held', "expect(await friends.listBlocked().succeeds(), 'documented: a field').toHold('/a', 1);"),
    says: /^toHold states something that the specification does not show, and its claim is "documented: a field"; begin the claim with `assumed: `$/,
  },
  {
    mistake: 'unknown matcher',
    source: inBody('matcher', "expect(await friends.listBlocked().succeeds(), 'assumed: x').toMentoin(friend.id);"),
    says: /^`expect` has no toMentoin \(did you mean toMention\?\); it has toMention, toShow, toHold, each also after \.not$/,
  },
  {
    mistake: 'misspelt operation',
    source: inBody('misspelt', 'await friends.blok({ friendId: friend.id }).succeeds();'),
    says: /^friends has no operation `blok` \(did you mean block\?\); it has block, listBlocked, listBlockers, unblock$/,
  },
  {
    mistake: 'invalid body',
    source: inBody('another field', 'await friends.block({ friend: friend.id }).succeeds();').replace(
      '@read',
      '@reversible',
    ),
    says: /^block was not sent: its body violates the documented request schema \(friendReference\): .*friendId.*; correct it, or send it on purpose with rawBody\(…\)$/,
  },
  {
    mistake: 'missing argument',
    source:
      "scenario('nothing', { tag: ['@storage', '@irreversible'] }, async ({ storage }) => {\n  await storage.deleteItem({ id: '' }).succeeds();\n});\n",
    says: /^deleteItem was not sent: its path has no value for id; pass one that is not empty, nor `\.` or `\.\.`, which an address leaves out$/,
  },
  {
    mistake: 'not awaited',
    source: inBody('in haste', 'friends.listBlocked().succeeds();'),
    says: /^listBlocked: its expectation was not awaited, so it proves nothing; write await before it$/,
  },
  {
    mistake: 'no expectation',
    source: inBody('unjudged', 'await friends.listBlocked();'),
    says: /^listBlocked: it has no expectation, so it proves nothing; end it with \.succeeds\(\), /,
  },
  {
    mistake: 'no clean-up',
    source: inBody('left behind', 'await friends.block({ friendId: friend.id }).succeeds();').replace(
      '@read',
      '@reversible',
    ),
    line: 2,
    says: /^block changes something, and the scenario declares no clean-up; write on the line after it: defer\(\(\) => friends\.unblock\(…\)\.settles\(\)\)$/,
  },
  {
    mistake: 'sleep',
    source: inBody(
      'asleep',
      'await new Promise((wake) => setTimeout(wake, 1));\n  await friends.listBlocked().succeeds();',
    ),
    says: /^`setTimeout\(…\)` waits for a fixed time, .*; read with \.eventually\(…\)/,
  },
  {
    mistake: 'sleep',
    source: `import { setTimeout as wait } from 'node:timers/promises';\n${inBody('asleep again', 'await wait(1);')}`,
    line: 2,
    says: /^`node:timers\/promises` waits for a fixed time, /,
  },
  {
    mistake: 'retry',
    source: inBody('again and again', 'while (true) {\n    await friends.listBlocked().succeeds();\n    break;\n  }'),
    says: /^`while \(…\)` tries again until it passes, which hides a flake; find the cause; /,
  },
  {
    mistake: 'retry',
    source: `scenario.describe.configure({ retries: 2 });\n${inBody('retried', 'await friends.listBlocked().succeeds();')}`,
    line: 2,
    says: /^`scenario\.describe\.configure\(\{ retries: … \}\)` tries again until it passes/,
  },
  {
    mistake: 'threw an error',
    source: inBody('thrown', 'await friends.listBlocked().succeeds();\n  void friend.name.first;'),
    line: 4,
    says: /^the spec threw TypeError: Cannot read properties of undefined \(reading 'first'\); correct the line; it says nothing about the service$/,
    playwright: /^TypeError: Cannot read properties of undefined \(reading 'first'\)/,
  },
  {
    mistake: 'threw an error',
    source: inBody('thrown by hand', "throw new Error('not so');"),
    line: 3,
    says: /^the spec threw Error: not so; correct the line; it says nothing about the service$/,
    playwright: /^Error: not so/,
  },
  {
    mistake: 'threw an error',
    source: inBody('thrown text', "throw 'not so';"),
    line: 2,
    says: /^the spec threw 'not so'; correct the line; it says nothing about the service$/,
  },
  {
    mistake: 'threw an error',
    source: inBody('thrown nothing', 'throw undefined;'),
    line: 2,
    says: /^the spec threw undefined; correct the line; it says nothing about the service$/,
  },
  {
    mistake: 'not configured',
    source:
      "scenario('unconfigured', { tag: ['@profile', '@read'] }, async ({ profile, friend }) => {\n  await profile.readProfile({ userId: friend.id }).succeeds();\n});\n",
    says: /^readProfile needs FRIEND_PROFILE_REQUEST, which \w+ lacks: .*; take `canReadProfile` as a parameter/,
  },
  {
    mistake: 'unwritten',
    source: inBody('later', "unwritten(friends, 'what friends should answer');"),
    says: /^not written yet: what friends should answer; write it, and delete this line$/,
  },
]);
