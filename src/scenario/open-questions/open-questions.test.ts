import assert from 'node:assert/strict';
import { test } from 'node:test';
import { handle } from '../../../reference-service/faults/kind.ts';
import { type Fault, faults } from '../../../reference-service/index.ts';
import { Refusal } from '../../../reference-service/refusal.ts';
import type { Environment } from '../../environment/index.ts';
import { exitCode, overallVerdict } from '../../run/index.ts';
import { play } from '../../testing/play.ts';
import { ownService } from '../../testing/servers/own-service.ts';
import { answerTo, surveyOf } from '../../testing/survey/surveyed.ts';
import { embeddedEnvironment, type FactLine, factsOf } from '../../testing/test-environment.ts';
import { configuredIn } from '../data/configured-data.ts';

const service = await ownService();

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

const rows: [title: string, fault: Fault, fact: FactLine, without: RegExp, contradicted: RegExp][] = [
  [
    'a flag that exists has its own value',
    fallsBack,
    'evaluate known-flag: a value of its own',
    /^skipped unproven: new-home evaluates to the default, as an undefined flag does; set FLAG_VALUE/,
    /^drifted Feature toggles: evaluate returns the default for FLAG_KEY, as if the flag were undefined \(it had a value of its own on/,
  ],
  [
    'block, then list, then unblock',
    notFoundWhenEmpty,
    'listBlocked empty-list: a success',
    /^passed/,
    /^drifted Friends: listBlocked answers 404 while it has no entries \(it was a success on/,
  ],
  [
    'read-only round',
    notFoundWhenEmpty,
    'listBlocked empty-list: not found',
    /^skipped unproven: listBlocked is not found, perhaps because the list has no entries; run `npx sextant survey/,
    /^passed/,
  ],
];

for (const [title, fault, fact, without, contradicted] of rows)
  test(`${title}: what is open is held to a fact alone, whatever runs met before`, async () => {
    const run = async (facts: Environment['facts'], ...faults: Fault[]) => {
      service.faults.set(...faults);
      const { data, ...embedded } = embeddedEnvironment(service);
      const { flagValue: _, ...others } = data;
      const { verdict, reason = '' } = await play(title, { ...embedded, ...(facts ? { facts } : {}), data: others });
      return `${verdict} ${reason}`;
    };
    const { facts: known } = embeddedEnvironment(service);
    assert.match(await run(known, fault), without);
    for (let time = 0; time < 3; time++) assert.match(await run(known), /^passed/);
    assert.match(await run(known, fault), without);
    assert.match(await run(factsOf(fact).with(known ?? []), fault), contradicted);
  });

const others = Array.from({ length: 12 }, (_, index) => ({ userId: `user-other-${index}` }));
const cut = handle<'listBlocked'>(() => ({ args }) => {
  if (args.n1 !== '0' || args.n2 !== '100') throw new Refusal(403, 'one_page', 'one page alone');
  return { status: 200, body: others };
});
const nameAlone = handle<'readProfile'>((original) => (visit) => {
  const { name } = original(visit).body as { readonly name: string };
  return { status: 200, body: { name } };
});

const whole = handle<'updateProfile'>((original) => (visit) => {
  if (visit.args.status === undefined) throw new Refusal(422, 'incomplete', 'all fields are needed');
  return original(visit);
});

const prevented: [title: string, faults: Fault[], fact: FactLine, why: RegExp][] = [
  [
    'block, then list, then unblock',
    [{ name: 'cut', operation: 'listBlocked', handle: cut }],
    'listBlocked paging: offset/limit, first index 0, newest first',
    /may be on another page, and no other page can be read/,
  ],
  [
    'an update leaves what it does not name',
    [{ name: 'name-alone', operation: 'readProfile', handle: nameAlone }],
    'updateProfile partial-update: the others are left',
    /the profile shows only its name/,
  ],
  [
    'an update leaves what it does not name',
    [{ name: 'whole', operation: 'updateProfile', handle: whole }],
    'updateProfile partial-update: the others are left',
    /an update of the name alone is refused/,
  ],
];
for (const [title, faults, fact, why] of prevented)
  test(`${title}: what a fact says that it can be judged, and the service prevents, is unknown`, async (t) => {
    t.after(() => service.faults.set());
    const run = async (facts: Environment['facts']) => {
      service.faults.set(...faults);
      const { facts: _, observed: __, ...environment } = embeddedEnvironment(service, { consistencyTimeoutMs: 200 });
      return play(title, { ...environment, ...(facts ? { facts } : {}) });
    };
    const forms = factsOf('updateProfile profile-form: text');
    const open = await run(forms);
    assert.equal(open.verdict, 'skipped', open.reason);
    const known = await run(factsOf(fact).with(forms));
    assert.deepEqual([known.verdict, exitCode(overallVerdict([known.verdict]))], ['unknown', 3], known.reason);
    for (const { reason = '' } of [open, known]) assert.match(reason, why);
    assert.match(known.reason ?? '', /although a fact says that it can be judged \(\S+ of \w+: /);
  });

const clears = faults.find(({ name }) => name === 'updateProfile-clears-what-is-not-named') as Fault;
const shapes: [where: string, shown: (profile: Readonly<Record<string, unknown>>) => unknown][] = [
  ['under other names', ({ name, status, url }) => ({ name, mood: status, link: url })],
  ['in another record', ({ name, status, url }) => ({ name, details: { status, url } })],
];
for (const [where, shown] of shapes)
  test(`what an update leaves: of a profile that shows its fields ${where}, a survey and a scenario say the same`, async (t) => {
    t.after(() => service.faults.set());
    const read = handle<'readProfile'>((original) => (visit) => {
      return { status: 200, body: shown({ ...(original(visit).body as object) }) };
    });
    const shape: Fault = { name: 'shape', operation: 'readProfile', handle: read };
    service.faults.set(shape);
    const { facts: _, observed: __, ...environment } = embeddedEnvironment(service, { consistencyTimeoutMs: 200 });
    const survey = await surveyOf(environment, { only: (question) => /^p(artial-update|rofile-form)$/.test(question) });
    assert.equal(answerTo(survey, 'updateProfile', 'partial-update'), 'the others are left');
    const facts = factsOf('updateProfile profile-form: text', 'updateProfile partial-update: the others are left');
    const verdict = async (...also: Fault[]) => {
      service.faults.set(shape, ...also);
      return (await play('an update leaves what it does not name', { ...environment, facts })).verdict;
    };
    assert.deepEqual([await verdict(), await verdict(clears)], ['passed', 'drifted']);
  });

const byFlag: FactLine[] = [
  'evaluate known-flag: a value of its own',
  'evaluate default-fallback: the default, unchanged',
  'evaluate default-fallback: the default is not in the response',
];
for (const title of ['a flag that exists has its own value', 'evaluate a flag with default'])
  for (const fact of [undefined, ...byFlag])
    test(`${title}: where the API key is refused, it is refused${fact ? ` and ${fact}` : ''}`, async (t) => {
      t.after(() => service.faults.set());
      service.faults.set({ name: 'revoked', operation: 'evaluate', arrive: () => () => ({ status: 401 }) });
      const { facts: _, ...environment } = embeddedEnvironment(service);
      const result = await play(title, { ...environment, ...(fact ? { facts: factsOf(fact) } : {}) });
      assert.equal(result.verdict, 'refused', result.reason);
      assert.match(result.reason ?? '', /401/);
    });

const { provisionUrl: _, ...shared } = embeddedEnvironment(service);

test('what an environment names is distinguished from what the suite invents', () => {
  const keys = (args: unknown) => configuredIn(shared, args).map(({ key }) => key);
  assert.deepEqual(keys({ storyId: shared.data.storyId }), ['STORY_ID']);
  assert.deepEqual(keys({ storyId: 'sextant-12ab' }), []);
  assert.deepEqual(keys({ language: 'fr' }), ['REPORT_LANGUAGES']);
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

test('what is refused has failed, and the message names both suspects', async () => {
  assert.equal((await play('love, then unlove', shared)).verdict, 'passed');
  service.faults.set(storyIsGone);
  const { verdict, reason = '' } = await play('love, then unlove', shared);
  assert.equal(verdict, 'failed');
  assert.match(
    reason,
    /404 Not Found for STORY_ID=story-lighthouse: the operation is broken, or the story no longer exists$/,
  );
});

test('a report that is accepted the next time was not refused for its codes', async () => {
  let asked = 0;
  service.faults.set({
    name: 'first',
    operation: 'report',
    arrive: () => () => (asked++ === 0 ? { status: 400 } : undefined),
  });
  assert.equal((await play('fetch options, then report', embeddedEnvironment(service))).verdict, 'failed');
});

/** All loves as `user story`, and the love that a request changes. */
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
const nothing =
  /^skipped unproven: no fact says which response shows whether a story is loved; run `npx sextant survey --env [\w-]+ --only 'love love-shown'`/;
const shownNoMore = /^drifted Stories: love no longer shows at \/loves \(it did on/;
const oneAlone = /^skipped unlove story of the first of two is refused, which the specification leaves open/;
const goneByStatus = /^failed The response to unlove no longer shows the love \(the status is /;
const goneByCount =
  /^failed The friend's view no longer shows the love \(\/loves is 1, as for a story that is not loved/;
const byFriend = "love love-shown: the friend's next response to love shows it at /loves";
const byCaller = "love love-shown: the caller's next response to love shows it at the status";

const services: [what: string, habits: Habits, fact: FactLine | undefined, kept: RegExp, left: RegExp][] = [
  ['refuses what is so already', { body: strictly }, undefined, /^passed/, /^passed/],
  ['refuses, as a fact says', { body: strictly }, byCaller, /^passed/, /^passed/],
  ['counts', { body: counting }, undefined, nothing, nothing],
  ['counts, as a fact says', { body: counting }, byFriend, /^passed/, /^passed/],
  ['says whether something changed', { body: ({ wasLoved }) => ({ was: wasLoved }) }, undefined, /^passed/, /^passed/],
  ['says nothing', { body: () => undefined }, undefined, nothing, nothing],
  ['says what was asked for', { body: (_, isLoved) => ({ isLoved }) }, undefined, nothing, nothing],
  ['takes turns', { body: () => ({ isFirstServer: requests++ % 2 === 0 }) }, undefined, nothing, nothing],
  ['counts requests', { body: () => ({ seen: requests++ }) }, undefined, nothing, nothing],
  [
    'swallows a love',
    { love: ({ all }) => all.clear(), body: () => ({ loves: 1 }) },
    byFriend,
    shownNoMore,
    shownNoMore,
  ],
  ['lets a user love one story alone', { love: forgetful, body: strictly }, undefined, /^passed/, oneAlone],
  ['lets one alone, as a fact says', { love: forgetful, body: strictly }, byCaller, /^passed/, oneAlone],
  ['refuses, and forgets all', { unlove: forgetful, body: strictly }, undefined, /^passed/, goneByStatus],
  ['counts, and forgets all', { unlove: forgetful, body: counting }, byFriend, /^passed/, goneByCount],
];

for (const [what, habits, fact, kept, left] of services)
  test(`a love at a service that ${what}`, async () => {
    const { observed: _, facts: __, data, ...embedded } = embeddedEnvironment(service);
    const name = what.replaceAll(/\W/g, '-');
    const environment = { ...embedded, name, data, ...(fact ? { facts: factsOf(fact) } : {}) };
    service.faults.set(...lovesOf(habits));
    for (const [title, expected] of [
      [keeps, kept],
      [leaves, left],
    ] as const) {
      const { verdict, reason = '' } = await play(title, environment);
      assert.match(`${verdict} ${reason}`, expected);
    }
  });
