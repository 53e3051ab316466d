import assert from 'node:assert/strict';
import { test } from 'node:test';
import { handle } from '../../../reference-service/faults/kind.ts';
import type { Fault } from '../../../reference-service/index.ts';
import { Refusal } from '../../../reference-service/refusal.ts';
import { play } from '../../testing/play.ts';
import { ownService } from '../../testing/servers/own-service.ts';
import { embeddedEnvironment } from '../../testing/test-environment.ts';
import { configuredIn } from '../data/configured-data.ts';

const service = await ownService();

const oldestFirst: Fault = {
  name: 'oldest-first',
  operation: 'listBlocked',
  handle: handle<'listBlocked'>((original) => (visit) => {
    const reply = original(visit);
    return { ...reply, body: (reply.body as unknown[]).toReversed() };
  }),
};

const fallsBack: Fault = {
  name: 'falls-back',
  operation: 'evaluate',
  handle: handle<'evaluate'>((original) => (visit) => original({ ...visit, args: { ...visit.args, key: 'nobody-s' } })),
};

const notFoundWhenEmpty: Fault = {
  name: 'not-found-when-empty',
  operation: 'listBlocked',
  handle: handle<'listBlocked'>((original) => (visit) => {
    const reply = original(visit);
    if ((reply.body as unknown[]).length > 0) return reply;
    throw new Refusal(404, 'nobody', 'nobody is blocked');
  }),
};

const rows: [title: string, fault: Fault, times: number, first: RegExp, later: RegExp][] = [
  [
    'block three, then unblock the one between',
    oldestFirst,
    8,
    /^passed/,
    /^drifted listBlocked of entries is newest first here — it was oldest first; newest first 8 times/,
  ],
  [
    'a flag that exists has its own value',
    fallsBack,
    1,
    /^skipped unproven: new-home falls back to the default; FLAG_VALUE says/,
    /^drifted evaluate of new-home is a value of its own here — it was the default of the call; a value of its own 1 time/,
  ],
  [
    'block, then list, then unblock',
    notFoundWhenEmpty,
    1,
    /^passed/,
    /^drifted listBlocked without entries is a success here — 404 .*; accepted 1 time/,
  ],
  [
    'read-only round',
    notFoundWhenEmpty,
    1,
    /^passed/,
    /^skipped unproven: listBlocked is not found, which may mean that it has no entries/,
  ],
];

for (const [title, fault, times, first, later] of rows)
  test(`${title}: what is open is held to what was always so here`, async () => {
    const run = async (environment: ReturnType<typeof embeddedEnvironment>, ...faults: Fault[]) => {
      service.faults.set(...faults);
      const { verdict, reason = '' } = await play(title, environment);
      return `${verdict} ${reason}`;
    };
    const embedded = embeddedEnvironment(service);
    const { flagValue: _, ...data } = embedded.data;
    const environment = { ...embedded, data };
    assert.match(await run({ ...environment, name: 'another' }, fault), first);
    for (let time = 0; time < times; time++) assert.match(await run(environment), /^passed/);
    assert.match(await run(environment, fault), later);
  });

const { provisionUrl: _, ...shared } = embeddedEnvironment(service);

test('what an environment names is distinguished from what the suite invents', () => {
  const keys = (args: unknown) => configuredIn(shared, args).map(({ key }) => key);
  assert.deepEqual(keys({ storyId: shared.data.storyId }), ['STORY_ID']);
  assert.deepEqual(keys({ storyId: 'sextant-12ab' }), []);
  assert.deepEqual(keys({ friendId: shared.friend.userId }), ['FRIEND_USER_ID']);
  assert.deepEqual(keys({ FromClientId: 'client-shipyard', TypeName: 'badge', TypeVersion: '1.48213' }), [
    'FROM_CLIENT_ID',
    'TYPE_NAME',
  ]);
  assert.deepEqual(keys(undefined), []);
});

const storyIsGone: Fault = {
  name: 'story-is-gone',
  operation: 'love',
  handle: () => () => {
    throw new Refusal(404, 'unknown_story', 'there is no such story');
  },
};

test('what was accepted before and is refused now has failed, and the message names both suspects', async () => {
  assert.equal((await play('love, then unlove', shared)).verdict, 'passed');
  service.faults.set(storyIsGone);
  const { verdict, reason = '' } = await play('love, then unlove', shared);
  assert.equal(verdict, 'failed');
  assert.match(
    reason,
    /404 Not Found for STORY_ID=story-lighthouse: the operation fails, or the story is gone; accepted \d times since \d\d:\d\d, refused since \d\d:\d\d$/,
  );
});

for (const [title, operation] of [
  ['fetch options, then report', 'report'],
  ['evaluate a flag with default', 'evaluate'],
] as const)
  test(`${title}: what is accepted the next time was not refused for its form`, async () => {
    let asked = 0;
    service.faults.set({ name: 'first', operation, arrive: () => () => (asked++ === 0 ? { status: 400 } : undefined) });
    assert.equal((await play(title, embeddedEnvironment(service))).verdict, 'failed');
  });

/** Who loves what, as `user story`, and what a request did to that. */
interface Loves {
  readonly all: Set<string>;
  readonly user: string;
  readonly story: string;
  readonly wasLoved: boolean;
}

interface Habits {
  readonly love?: (loves: Loves) => void;
  readonly unlove?: (loves: Loves) => void;
  /** @throws Refusal */
  readonly body: (loves: Loves, isLoved: boolean) => unknown;
}

function lovesOf({ love, unlove, body }: Habits): Fault[] {
  const all = new Set<string>();
  const change = (isLoved: boolean, also?: (loves: Loves) => void) =>
    handle<'love'>(() => ({ userId: user, args: { storyId: story } }) => {
      const loves = { all, user, story, wasLoved: all.has(`${user} ${story}`) };
      also?.(loves);
      if (isLoved) all.add(`${user} ${story}`);
      else all.delete(`${user} ${story}`);
      const shown = body(loves, isLoved);
      return shown === undefined ? { status: 204 } : { status: 200, body: shown };
    });
  return [
    { name: 'love', operation: 'love', handle: change(true, love) },
    { name: 'unlove', operation: 'unlove', handle: change(false, unlove) },
  ];
}

const strictly: Habits['body'] = ({ wasLoved }, isLoved) => {
  if (wasLoved === isLoved) throw new Refusal(409, 'so_already', 'it is so already');
  return { done: true };
};
const counting: Habits['body'] = ({ all, story }) => ({
  loves: [...all].filter((each) => each.endsWith(` ${story}`)).length,
});
const forgetful: Habits['unlove'] = ({ all, user }) => {
  for (const each of all) if (each.startsWith(`${user} `)) all.delete(each);
};
let requests = 0;

const keeps = 'a love is kept';
const leaves = 'unloving one story leaves the other loved';
const nothing = /^skipped unproven: no response to love story or unlove story shows whether it was done/;
const restless = /^skipped unproven: its responses differ each time/;

const services: [what: string, habits: Habits, kept: RegExp, left: RegExp][] = [
  ['refuses what is so already', { body: strictly }, /^passed/, /^passed/],
  ['counts', { body: counting }, /^passed/, /^passed/],
  ['says whether something changed', { body: ({ wasLoved }) => ({ was: wasLoved }) }, /^passed/, /^passed/],
  ['says nothing', { body: () => undefined }, nothing, nothing],
  ['says what was asked for', { body: (_, isLoved) => ({ isLoved }) }, nothing, nothing],
  ['takes turns', { body: () => ({ isFirstServer: requests++ % 2 === 0 }) }, restless, restless],
  ['counts requests', { body: () => ({ seen: requests++ }) }, restless, restless],
  [
    'is popular',
    {
      body: ({ all }) => ({ loves: all.size + 3 * requests++ }),
    },
    restless,
    restless,
  ],
  [
    'lets a user love one story alone',
    { love: forgetful, body: strictly },
    /^passed/,
    /^skipped unproven: unlove story of the first of two is refused/,
  ],
  [
    'refuses, and forgets all',
    { unlove: forgetful, body: strictly },
    /^passed/,
    /^failed unlove story undoes that one, and no other — the status is 409 \(refused\), as where story-harbour-seal itself/,
  ],
  [
    'counts, and forgets all',
    { unlove: forgetful, body: counting },
    /^passed/,
    /^failed unlove story undoes that one, and no other — \/loves is 1, as where/,
  ],
];

for (const [what, habits, kept, left] of services)
  test(`a love at a service that ${what}`, async () => {
    const { observed: _, data, ...embedded } = embeddedEnvironment(service);
    const name = what.replaceAll(/\W/g, '-');
    const environment = { ...embedded, name, data };
    for (const [title, expected] of [
      [keeps, kept],
      [leaves, left],
    ] as const) {
      service.faults.set(...lovesOf(habits));
      const { verdict, reason = '' } = await play(title, environment);
      assert.match(`${verdict} ${reason}`, expected);
    }
  });
