import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type OperationId, operation } from '../../spec/index.ts';
import type { Exchange } from '../http/exchange.ts';
import type { Expected } from '../verdict/judge.ts';
import { credentialGuard, MOST_REFUSALS, NotTried, type RefusalLog } from './credential-guard.ts';
import type { OutgoingCall } from './middleware.ts';

function memory(...entries: ReturnType<RefusalLog['all']>[number][]): RefusalLog {
  return { all: () => entries, add: (entry) => entries.push(entry) };
}

interface Step {
  readonly id?: OperationId;
  readonly status: number;
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

/** How many of the steps were sent. */
async function sent(steps: readonly Step[]): Promise<number> {
  const middleware = credentialGuard(memory(), String);
  let count = 0;
  for (const step of steps) {
    const next = async () => {
      count++;
      return { response: { status: step.status, headers: [] } } as unknown as Exchange;
    };
    await middleware(call(step), next).catch((error) => assert.ok(error instanceof NotTried));
  }
  return count;
}

const times = (count: number, step: Step) => Array.from({ length: count }, () => step);

const spoiled: Step = { status: 401, expected: 'refusal', spoiled: true };
const rows: [name: string, steps: Step[], sent: number][] = [
  ['401 again and again', times(10, { status: 401 }), MOST_REFUSALS],
  ['403 again and again', times(10, { status: 403 }), MOST_REFUSALS],
  ['a success in between', [...times(2, { status: 401 }), { status: 200 }, ...times(5, { status: 401 })], 6],
  ['wrong on purpose', times(10, spoiled), 10],
  ['a refusal that was expected', times(10, { status: 403, expected: 'refusal' }), 10],
  ['404', times(10, { status: 404 }), 10],
  ['500', times(10, { status: 500 }), 10],
  ['another user', [...times(5, { status: 401 }), ...times(5, { status: 200, user: 'ben' })], MOST_REFUSALS + 5],
  [
    'another credential',
    [...times(5, { status: 401 }), ...times(5, { status: 200, id: 'cloneType' })],
    MOST_REFUSALS + 5,
  ],
  ['wrong on purpose once it stopped, which proves nothing', [...times(3, { status: 401 }), spoiled], MOST_REFUSALS],
];

for (const [name, steps, expected] of rows) {
  test(`refused credentials: ${name} → ${expected} sent`, async () => assert.equal(await sent(steps), expected));
}

test('it says which credential was refused, with which statuses where, and which variable to check', async () => {
  const refused = ['401 at Friends', '401 at Stories', '403 at Stories'].flatMap((refused) =>
    ['token of ada', 'key of client', 'token of ben'].map((credential) => ({ credential, refused })),
  );
  const middleware = credentialGuard(memory(...refused), (key) => `STAGING_${key}`);
  const never = () => assert.fail('it was sent');
  await assert.rejects(middleware(call({}), never), {
    message:
      'not tried: ACCESS_TOKEN is not accepted (401 at Friends, Stories; 403 at Stories): check STAGING_ACCESS_TOKEN',
  });
  await assert.rejects(middleware(call({ id: 'evaluate' }), never), /API_KEY is not accepted/);
  await assert.rejects(middleware(call({ user: 'ben' }), never), /FRIEND_ACCESS_TOKEN is not accepted/);
});
