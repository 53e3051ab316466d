import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Exchange, newTraceId } from '../../http/index.ts';
import { Secret } from '../../redaction/index.ts';
import { type Closed, ProvisionFailed, Skipped, SpecRun } from '../../scenario/index.ts';
import { fakeExchange, fakeResponse } from '../../testing/contract/fake-response.ts';
import { ownService } from '../../testing/servers/own-service.ts';
import { testEnvironment } from '../../testing/test-environment.ts';
import { ExpectationError, type Failure, SpecMistake, SuiteFault, Unproven } from '../../verdict/index.ts';
import { endScenario, type Played } from './end-scenario.ts';
import type { ScenarioResult } from './result.ts';

const environment = testEnvironment('http://127.0.0.1:1');
const atService = testEnvironment((await ownService()).addresses);
const { userId: friend = '' } = environment.friend;
const { userId: caller } = environment.caller;
const secret = new Secret('canary-of-a-spec-0123456789-0123456789-0123456789');
const tag = { area: 'friends', effect: 'reversible', file: 'love.spec.ts', title: 'block' } as const;

const by = (user: string, rest: Partial<Exchange>, body?: object): Exchange => {
  const made = fakeExchange(rest);
  const request = { ...made.request, headers: { 'mm-user-id': user }, ...(body ? { body: JSON.stringify(body) } : {}) };
  return { ...made, request };
};
const block = (user: string, friendId: string) =>
  by(user, { operation: 'block', response: fakeResponse(200, {}) }, { friendId });
const list = (user: string, operation: 'listBlocked' | 'listBlockers', ...ids: string[]) =>
  by(user, {
    operation,
    response: fakeResponse(
      200,
      ids.map((userId) => ({ userId })),
    ),
  });
const error500 = by(caller, { operation: 'unblock', response: fakeResponse(500, {}) });
const broken = (exchange = error500, verdict: 'failed' | 'refused' | 'unknown' = 'failed') =>
  new ExpectationError(exchange, { verdict, claim: 'assumed: it works', observed: 'so it is' });

function ended(
  error: unknown,
  exchanges: readonly Exchange[] = [],
  closed: readonly Closed[] = [],
  more: Partial<Played> = {},
) {
  const specRun = new SpecRun();
  const played = {
    ...tag,
    environment,
    specRun,
    traceId: newTraceId(),
    startedAt: 0,
    durationMs: () => 1,
    notes: [],
    steps: [],
    error,
    exchanges,
    acceptedOperations: [],
  };
  return endScenario({ ...played, close: async () => closed, ...more });
}

type Said = Partial<Omit<ScenarioResult, 'failures'>> & {
  readonly failures?: readonly { readonly [K in keyof Failure]?: Failure[K] | undefined }[];
};

const ofCleanUp = (error: unknown) => ({ error, isCleanUp: true });
const unseen = [block(caller, friend), list(caller, 'listBlocked')] as const;
const asEve = [
  block(friend, caller),
  list(friend, 'listBlocked', caller),
  list(caller, 'listBlockers', 'eve'),
] as const;
const successWhen = { pointer: '/code', value: 0, text: '/code=0' };
const byCode = [
  { ...block(friend, caller), response: fakeResponse(200, { code: 7 }) },
  { ...list(caller, 'listBlockers'), response: fakeResponse(200, { code: 0 }) },
] as const;
const refused = by(friend, { response: fakeResponse(401, {}) });
const slowToConnect: Exchange = { ...error500, silentAddresses: { ms: 1_500, addresses: ['::2', '10.0.0.2'] } };
const ofPlan = Object.assign(broken(unseen[1]), { calls: unseen });

const rows: Readonly<Record<string, readonly [ended: () => Promise<ScenarioResult>, said: Said]>> = {
  'a broken expectation': [
    () => ended(broken()),
    {
      verdict: 'failed',
      grade: 'assumed',
      reason: 'it works — so it is',
      failing: error500,
      failures: [{ category: 'failed' }],
    },
  ],
  'what a clean-up throws after a body that passed': [
    () => ended(undefined, [], [ofCleanUp(broken())]),
    { verdict: 'failed', reason: 'in clean-up: it works — so it is', failures: [{ merely: 'clean-up' }] },
  ],
  'what a clean-up throws after a body that failed': [
    () => ended(broken(), [], [ofCleanUp(broken())]),
    {
      reason: 'it works — so it is',
      warnings: ['clean-up failed: it works — so it is'],
      failures: [{ category: 'failed' }, { merely: 'clean-up' }],
    },
  ],
  'what is broken beside what leaves the scenario out': [
    () => ended(new Skipped('needs X'), [], [{ error: broken(), isCleanUp: false }]),
    { verdict: 'failed' },
  ],
  'what else leaves it out beside what leaves it out': [
    () => ended(new Skipped('needs X'), [], [ofCleanUp(new Skipped('needs Y'))]),
    { verdict: 'skipped', reason: 'needs X' },
  ],
  'what proves nothing': [
    () => ended(new Unproven('x: 404 y', 'x')),
    { verdict: 'skipped', unproven: true, reason: 'unproven: x: 404 y', failures: [{ gist: 'unproven: x' }] },
  ],
  'a fault of the suite': [
    () => ended(new SuiteFault('wrong')),
    {
      verdict: 'unknown',
      reason: 'the suite could not judge: wrong',
      failures: [{ reason: 'wrong', category: 'suite-fault' }],
    },
  ],
  'a provisioner that fails': [
    () => ended(new ProvisionFailed('no users'), [], [], { environment: atService }),
    { verdict: 'unknown', lacks: 'provisioner' },
  ],
  'a provisioner and a service that fail': [
    () => ended(new ProvisionFailed('no users')),
    {
      verdict: 'unreachable',
      reason: 'http://127.0.0.1:1 accepts no connection, and the provisioner returns no users',
      failures: [{ category: 'unreachable' }],
    },
  ],
  'mistakes of a spec': [
    () => ended(SpecMistake.all(['a', 'b'].map((text) => new SpecMistake(text, { file: 'x.spec.ts', line: 3 })))),
    { verdict: 'unknown', reason: 'x.spec.ts:3: a · x.spec.ts:3: b' },
  ],
  'a value that is no error, thrown by a spec': [
    () => ended('so', [], [], { declaredAt: { file: 'x.spec.ts', line: 7 } }),
    { verdict: 'unknown', reason: /^x\.spec\.ts:7: the spec threw 'so'/ as unknown as string },
  ],
  'a spec’s text that is cut within a secret': [
    () => ended(`${'x'.repeat(640)}${secret.reveal()}`, [], [], { declaredAt: { file: 'x.spec.ts', line: 7 } }),
    { reason: /^x\.spec\.ts:7: the spec threw 'x{640}\*\*\*/ as unknown as string },
  ],
  'a bug of the suite, without codes of a terminal': [
    () => ended(Object.assign(new TypeError('x is \u001b[31mno\u001b[39m function'), { stack: '' })),
    { reason: 'the suite could not judge: a bug in Sextant: TypeError: x is no function' },
  ],
  'a credential of the friend that is refused': [
    () => ended(broken(refused, 'refused'), [refused]),
    { verdict: 'refused', failures: [{ credential: 'FRIEND_ACCESS_TOKEN' }] },
  ],
  'an accepted change that its list does not show': [
    () => ended(broken(unseen[1]), unseen),
    { failures: [{ unseen: { change: 'block', list: 'listBlocked' }, isFriends: undefined }] },
  ],
  'the same in the calls of a random plan': [
    () => ended(ofPlan),
    { failures: [{ unseen: { change: 'block', list: 'listBlocked' } }] },
  ],
  'a change that SUCCESS_WHEN says was refused, with its credential': [
    () => ended(broken(byCode[1]), byCode, [], { environment: { ...environment, successWhen } }),
    { accepted: ['ACCESS_TOKEN'], failures: [{ unseen: undefined }] },
  ],
  'a list that could not be judged': [
    () => ended(broken(unseen[1], 'unknown'), unseen),
    { verdict: 'unknown', failures: [{ unseen: undefined }] },
  ],
  'a friend who is taken for another user': [
    () => ended(broken(asEve[2]), asEve),
    { failures: [{ isFriends: true, stranger: 'eve', unseen: { change: 'block', list: 'listBlockers' } }] },
  ],
  'connections that are worth a word': [
    () =>
      ended(
        undefined,
        Array.from({ length: 2 }, () => ({
          ...slowToConnect,
          sentAgain: true,
          onOwnConnection: true,
          hasStrayBody: true,
        })),
      ),
    {
      verdict: 'passed',
      warnings: [
        'unblock: retried, because the service closed the connection',
        'https://api.example.org closes connections that it should keep open, so each change is sent on a new one',
        'unblock: 500 with a body, which HTTP forbids',
        'unblock: 1,500 ms of the call were spent on [::2], 10.0.0.2, which doesn’t respond',
      ],
    },
  ],
  'a failing call of the friend': [
    () => ended(broken(by(friend, { response: fakeResponse(404, {}) }))),
    { failures: [{ isFriends: true, unseen: undefined }] },
  ],
};

for (const [name, [end, said]] of Object.entries(rows))
  test(`${name}: ${said.verdict ?? said.reason ?? 'its failure says so'}`, async () => {
    const result = await end();
    const { failures = [], reason, ...rest } = said;
    if (reason)
      assert.match(result.reason ?? '', typeof reason === 'string' ? new RegExp(`^${RegExp.escape(reason)}$`) : reason);
    for (const [key, value] of Object.entries(rest)) assert.deepEqual(result[key as keyof ScenarioResult], value, key);
    for (const [index, failure] of failures.entries())
      for (const [key, value] of Object.entries(failure))
        assert.deepEqual(result.failures?.[index]?.[key as keyof Failure], value, key);
  });
