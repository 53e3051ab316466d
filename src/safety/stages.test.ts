import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type OutgoingCall, rawBody, rawText } from '../call/index.ts';
import type { ProfileField } from '../questions/index.ts';
import { type AreaId, type OperationId, operation, readProfile } from '../service/index.ts';
import { fakeExchange, fakeResponse, fakeText } from '../testing/contract/fake-response.ts';
import { factsOf, testEnvironment } from '../testing/test-environment.ts';
import { type Expected, NotTried, SuiteFault } from '../verdict/index.ts';
import { credentialGuard, MOST_REFUSALS, type RefusalEntry, RefusedCredentials } from './credential-guard.ts';
import { KeptProfile } from './kept-profile.ts';
import { memoryLog } from './log.ts';
import { isGeneratedProfile, oldValues, overwrittenFields, unnamedFields } from './profile-values.ts';
import { undoArguments } from './recorded-changes.ts';
import type { Scope } from './scope.ts';

const environment = testEnvironment('http://127.0.0.1:9');

interface Step {
  readonly id?: OperationId;
  readonly status: number;
  readonly text?: string;
  readonly expected?: Expected;
  readonly spoiled?: boolean;
  readonly user?: string;
}

const call = ({ id = 'block', expected = 'success', spoiled = false, user = 'ada' }: Omit<Step, 'status'>) =>
  ({
    operation: operation(id),
    expected,
    changes: new Map(spoiled ? [['authorization', 'bearer wrong']] : []),
    session: { caller: { userId: user, clientId: 'client' }, actor: user === 'ada' ? '' : 'the friend' },
  }) as unknown as OutgoingCall;

async function sent(steps: readonly Step[]): Promise<number> {
  const guard = credentialGuard(memoryLog(), environment);
  let count = 0;
  for (const step of steps) {
    try {
      const stand = await guard(call(step));
      count++;
      stand?.ended?.(fakeExchange({ response: fakeText(step.status, step.text ?? '{}') }));
    } catch (error) {
      assert.ok(error instanceof NotTried);
    }
  }
  return count;
}

const times = (count: number, step: Step) => Array.from({ length: count }, () => step);

/** The number of requests that are sent if the refused calls are followed by five calls of another user, or with another credential. */
const ANOTHER = MOST_REFUSALS + 5;
const spoiled: Step = { status: 401, expected: 'refusal', spoiled: true };
const refusals: [name: string, steps: Step[], sent: number][] = [
  ['401 again and again', times(10, { status: 401 }), MOST_REFUSALS],
  ['denied by a proxy again and again', times(10, { status: 403, text: 'RBAC: access denied' }), 10],
  ['403 again and again', times(10, { status: 403 }), MOST_REFUSALS],
  ['a success in between', [...times(2, { status: 401 }), { status: 200 }, ...times(5, { status: 401 })], 6],
  ['wrong on purpose', times(10, spoiled), 10],
  ['a refusal that was expected', times(10, { status: 403, expected: 'refusal' }), 10],
  ['404', times(10, { status: 404 }), 10],
  ['500', times(10, { status: 500 }), 10],
  ['another user', [...times(5, { status: 401 }), ...times(5, { status: 200, user: 'ben' })], ANOTHER],
  ['another credential', [...times(5, { status: 401 }), ...times(5, { status: 200, id: 'cloneType' })], ANOTHER],
  ['wrong on purpose once it stopped, which proves nothing', [...times(3, { status: 401 }), spoiled], MOST_REFUSALS],
];

for (const [name, steps, expected] of refusals) {
  test(`refused credentials: ${name} → ${expected} sent`, async () => assert.equal(await sent(steps), expected));
}

test('it says which credential was refused, with which statuses where, and what to check', async () => {
  const where = [
    { status: 401, area: 'friends' },
    { status: 401, area: 'stories' },
    { status: 403, area: 'stories' },
  ] as const;
  const refused = where.flatMap((each) =>
    ['token of ada', 'key of client', 'token of ben'].map((credential) => ({ credential, ...each })),
  );
  const place = 'here: ACCESS_TOKEN';
  const guard = credentialGuard(
    { ...memoryLog(), all: () => refused },
    { ...environment, readFrom: { ACCESS_TOKEN: place } },
  );
  assert.throws(
    () => guard(call({})),
    ({ message, failure }: NotTried) => {
      const why = `ACCESS_TOKEN is not accepted (401 at Friends, Stories; 403 at Stories): check ${place}`;
      assert.deepEqual([message, failure.reason], [`not tried: ${why}`, why]);
      // The areas of the three refusals. The guard stopped the current call, so the call adds no area.
      const areas = ['friends', 'stories', 'stories'];
      assert.deepEqual(failure.refused, {
        statuses: [401, 401, 403],
        areas,
        operations: [],
        place,
      });
      return true;
    },
  );
  assert.throws(() => guard(call({ id: 'evaluate' })), /API_KEY is not accepted/);
  assert.throws(() => guard(call({ user: 'ben' })), /FRIEND_ACCESS_TOKEN is not accepted/);
});

test('what is not tried has the first call that was refused', async () => {
  const log = memoryLog<RefusalEntry>();
  const guard = credentialGuard(log, environment);
  for (const text of ['first', 'second', 'third'])
    (await guard(call({})))?.ended?.(fakeExchange({ response: fakeText(401, text) }));
  assert.throws(
    () => guard(call({ id: 'love' })),
    ({ failure }: NotTried) => {
      const { call: { status, body, curl } = {}, operations } = failure.refused ?? {};
      assert.deepEqual([status, body, curl?.startsWith('curl ')], [401, 'first', true]);
      assert.deepEqual(operations, ['listBlocked', 'listBlocked', 'listBlocked']);
      // The call to `love` was never sent, so there is no call to show.
      assert.equal(failure.call, undefined);
      return true;
    },
  );
});

/**
 * `a block 401` is an attempt at scenario `a` that calls `block` and gets 401; `undo unblock 200` is an undo. In `expected`, brackets mark calls that
 * were not sent.
 */
const inProcess: [name: string, attempts: string, expected: string][] = [
  ['the first attempt is like any other', 'a block 401 block 401 block 401 block 401', '401 401 401 (401)'],
  ['the first scenario tries with one request', 'a block 401; a block 401 block 401', '401; 401 (401)'],
  ['others wait, in all areas', 'a block 401; b love 200; undo unblock 200', '401; (200); (200)'],
  ['other credentials go on', 'a block 401; b cloneType 200', '401; 200'],
  ['an acceptance lifts it', 'a block 401; a block 200; b love 200', '401; 200; 200'],
  ['another operation of its area is accepted', 'a block 401 listBlocked 200; b love 200', '401 200; 200'],
  ['a 403 may be about the operation', 'a block 403; b love 200', '403; 200'],
  ['what is down for another cause', 'down block 401; b love 200', '401; 200'],
  ['the first leaves it', 'a block 401; a leaves; b love 401; a block 200', '401; ; 401; (200)'],
  ['an area accepts it', 'a block 401; stories accepts; b love 200; c block 200', '401; ; 200; (200)'],
  [
    'a scenario is refused where others are accepted',
    'a block 401; stories accepts; b love 401; b love 200; c love 200',
    '401; ; 401; (200); 200',
  ],
];
for (const [name, attempts, expected] of inProcess)
  test(`refused credentials of a process: ${name}`, async () => {
    const refused = new RefusedCredentials(environment);
    const lines: string[] = [];
    for (const [who = '', ...calls] of attempts.split('; ').map((each) => each.split(' '))) {
      const guard = who === 'undo' ? refused.guard() : refused.guard(who, who !== 'down');
      const statuses: string[] = [];
      if (calls[0] === 'leaves') refused.leave(who);
      else if (calls[0] === 'accepts') refused.accept('ACCESS_TOKEN', [who as AreaId]);
      else
        for (let index = 0; index < calls.length; index += 2) {
          const [id, status = ''] = [calls[index] as OperationId, calls[index + 1]];
          const exchange = fakeExchange({ operation: id, area: operation(id).area, response: fakeText(+status, '{}') });
          try {
            (await guard(call({ id })))?.ended?.(exchange);
            statuses.push(status);
          } catch (error) {
            assert.ok(error instanceof NotTried);
            statuses.push(`(${status})`);
          }
        }
      lines.push(statuses.join(' '));
    }
    assert.equal(lines.join('; '), expected);
  });

const unblock = { undo: 'unblock', args: { friendId: 'ben' } };
const undos: [name: string, id: OperationId, args: unknown, expected: object | undefined][] = [
  ['a block', 'block', { friendId: 'ben' }, unblock],
  ['a love', 'love', { storyId: 's' }, { undo: 'unlove', args: { storyId: 's' } }],
  ['an unblock undoes itself no further', 'unblock', { friendId: 'ben' }, undefined],
  ['what nothing takes back', 'report', { storyId: 's' }, undefined],
  ['a read', 'listBlocked', { n1: '0', n2: '1' }, undefined],
  ['a body sent as it is', 'block', rawBody({ friendId: 'ben' }), unblock],
  ['a field too many', 'block', rawBody({ friendId: 'ben', colour: 'red' }), unblock],
  [
    'a number that may have become a text',
    'block',
    rawBody({ friendId: 7 }),
    { undo: 'unblock', args: { friendId: '7' }, asSent: { friendId: 7 } },
  ],
  ['an id of another type', 'block', rawBody({ friendId: ['ben'] }), undefined],
  ['no id', 'block', rawBody({}), undefined],
  ['no object', 'block', rawBody(null), undefined],
  ['a text that is no JSON', 'block', rawText('{"friendId":'), undefined],
  ['a text that is JSON', 'block', rawText('{"friendId":"ben"}', null), unblock],
];
for (const [name, id, args, expected] of undos) {
  test(`undo of ${name}`, () => assert.deepEqual(undoArguments(operation(id), args), expected));
}

const all: ProfileField[] = ['name', 'status', 'url', 'gender'];
const ada = { name: 'Ada', status: 'sailing', url: 'https://a.test/1.png', gender: 2 };
const ben = { id: 'ben', ...ada, name: 'Ben' };
/** Ada's profile with `fields` instead of `url`: they may hold the URL under another name. */
const otherwise = ({ ...fields }: Record<string, string>) => ({
  name: ada.name,
  status: ada.status,
  gender: ada.gender,
  ...fields,
});

const profiles: [
  name: string,
  answer: unknown,
  fields: ProfileField[],
  expected: object | undefined,
  names?: string,
][] = [
  ['the bare record', ada, all, ada],
  ['in an envelope', { code: 0, data: { user: ada } }, all, ada],
  ['beside an avatar with a name', { userId: 'ada', ...ada, avatar: { name: 'Sea hat' } }, all, ada],
  ['among other users', { users: [ben, { id: 'ada', ...ada }] }, all, ada],
  ['only what was overwritten', { userId: 'ada', name: 'Ada', avatar: { name: 'Sea hat' } }, ['name'], { name: 'Ada' }],
  ['empty texts', { ...ada, name: '', url: '' }, all, { ...ada, name: '', url: '' }],
  ['the user’s id is a number', { id: 7, ...ada }, all, ada],
  ['no field at all', { ok: true }, all, undefined],
  ['one field missing', { name: 'Ada', status: 'sailing', gender: 2 }, all, undefined],
  ['a field of another type', { ...ada, gender: 'female' }, all, undefined],
  ['a gender that is not an integer', { ...ada, gender: 1.5 }, all, undefined],
  ['null instead of a text', { ...ada, url: null }, all, undefined],
  ['two records, neither the user’s', [ada, { ...ada, name: 'Ben' }], all, undefined],
  ['two records, both the user’s', ['Ada', 'A.'].map((name) => ({ id: 'ada', ...ada, name })), all, undefined],
  ['another record holds one of the fields', { data: ada, friend: { name: 'Ben' } }, all, undefined],
  ['spread over two records', { a: { name: 'Ada', status: 's' }, b: { url: 'u', gender: 1 } }, all, undefined],
  ['an address as `includes` spells it', otherwise({ avartarUrl: ada.url }), all, ada],
  ['an address in the usual spelling', otherwise({ avatarUrl: ada.url }), all, ada],
  ['an address of another name', otherwise({ picRef: ada.url }), all, undefined],
  ['the name that a fact tells', otherwise({ picRef: ada.url }), all, ada, 'url is picRef'],
  ['another name than a fact tells', ada, all, undefined, 'url is picRef'],
  [
    'all under other names',
    { display_name: 'Ada', statusText: 's', avatar_url: 'u', genderCode: 1 },
    all,
    { name: 'Ada', status: 's', url: 'u', gender: 1 },
    'name is display_name, status is statusText, url is avatar_url, gender is genderCode',
  ],
  ['what a fact says is not shown', ada, all, undefined, 'gender is not shown'],
  ['not JSON', undefined, all, undefined],
];

for (const [name, answer, fields, expected, names] of profiles) {
  const userId = name.includes('number') ? '7' : 'ada';
  const target = names === undefined ? {} : { facts: factsOf(`updateProfile profile-names: ${names}`) };
  test(`old values: ${name}`, () => assert.deepEqual(oldValues(answer, userId, fields, target), expected));
}

const unnamed: [name: string, answer: unknown, expected: ProfileField[], names?: string][] = [
  ['all are shown', ada, []],
  ['under another name', { id: 'ada', ...otherwise({ picRef: 'u' }) }, ['url']],
  ['under another name, as a fact tells', { id: 'ada', ...otherwise({ picRef: 'u' }) }, [], 'url is picRef'],
  ['nothing is written yet', { code: 0, msg: 'done', user: { id: 'ada', name: null } }, []],
  ['nothing but links of the user', { _links: { self: { href: '/users/ada' } } }, []],
  ['a record of nobody', { displayName: 'Ada', level: 3 }, all],
  ['a field of another type', { ...ada, gender: 'female' }, []],
];
for (const [name, answer, expected, names] of unnamed) {
  const target = names === undefined ? {} : { facts: factsOf(`updateProfile profile-names: ${names}`) };
  test(`fields under other names: ${name}`, () =>
    assert.deepEqual(unnamedFields(answer, 'ada', all, target), expected));
}

test('old values: 100,000 levels are searched without a stack overflow', () => {
  const deep = JSON.parse(`${'['.repeat(100_000)}${JSON.stringify(ada)}${']'.repeat(100_000)}`);
  assert.deepEqual(oldValues(deep, 'ada', all, {}), ada);
});

test('the record of an update that was not sent is struck', async () => {
  const struck: string[] = [];
  const profile = new KeptProfile({
    target: { ...testEnvironment('http://127.0.0.1:9'), allowedEffects: new Set(['read', 'reversible']), readProfile },
    journal: {
      add: async () => ({ id: 'entry' }),
      strike: (id: string) => struck.push(id),
      own: () => [],
      left: () => [],
    },
    sessions: new Map(),
    roleOf: () => 'caller',
    step: (_at: string, _what: string, work: () => Promise<unknown>) => work(),
  } as unknown as Scope);
  const session = {
    caller: { userId: 'ada' },
    exchange: async () => fakeExchange({ response: fakeResponse(200, ada) }),
  };
  const update = { operation: operation('updateProfile'), args: { includes: 'name', name: 'Eva' }, session };
  const stand = await profile.allowed(update as unknown as OutgoingCall);
  assert.equal(stand?.instead?.operation.effect, 'reversible');
  stand?.ended?.(undefined, new SuiteFault('the run was stopped'));
  assert.deepEqual(struck, ['entry']);
});

test('what an update overwrites: its fields, and what its includes name', () => {
  assert.deepEqual(overwrittenFields({ includes: '', name: 'x' }), ['name']);
  assert.deepEqual(overwrittenFields({ includes: 'avartarUrl;gender', name: 'x' }), ['name', 'url', 'gender']);
  assert.deepEqual(overwrittenFields({ includes: 'name', name: 'x', gender: 0 }), ['name', 'gender']);
});

test('the suite’s own data is never an old value', () => {
  assert.ok(isGeneratedProfile({ name: 'sextant-lorem', gender: 1 }));
  assert.ok(isGeneratedProfile({ url: 'https://images.example/sextant-1f.png' }));
  assert.ok(!isGeneratedProfile({ name: 'Ada', gender: 1 }));
});
